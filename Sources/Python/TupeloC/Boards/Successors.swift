// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloEngine

@c @implementation
public func tupelo_successors(
  _ rows: Int32, _ columns: Int32, _ count: Int64, _ boards: UnsafePointer<UInt64>?, _ overflow: UnsafePointer<UInt32>?,
  _ afterstates: UnsafeMutablePointer<UInt64>?, _ afterstateOverflow: UnsafeMutablePointer<UInt32>?,
  _ rewards: UnsafeMutablePointer<Int32>?, _ legal: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  status {
    let shape = try BoardShape(rows: rows, columns: columns)
    guard let boards = try unsafe BoardArray(boards, overflow, count: count, shape: shape, "boards") else { return }
    let afterstates = try unsafe Memory.array(afterstates, 4 * boards.count, "afterstates")
    let afterstateOverflow = try unsafe Memory.optional(afterstateOverflow, "afterstate_overflow")
    let rewards = try unsafe Memory.optional(rewards, "rewards")
    let table = MoveTable(shape)
    if unsafe afterstateOverflow == nil {
      for index in 0..<boards.count where table.successors(of: boards[index]).overflow != .zero {
        throw Fault.noOverflow("afterstate_overflow")
      }
      // An illegal move keeps the board.
      if boards.hasOverflow { throw Fault.noOverflow("afterstate_overflow") }
    }
    for index in 0..<boards.count {
      let board = boards[index]
      let successors = table.successors(of: board)
      for move in Move.allCases {
        let place = 4 * index + move.rawValue
        let isLegal = successors.legal.contains(move)
        unsafe afterstates[place] = isLegal ? successors.bits[move.rawValue] : board.bits
        if let afterstateOverflow = unsafe afterstateOverflow {
          unsafe afterstateOverflow[place] = isLegal ? successors.overflow[move.rawValue] : board.overflow
        }
        if let rewards = unsafe rewards { unsafe rewards[place] = isLegal ? successors.rewards[move.rawValue] : 0 }
        if let legal = unsafe legal { unsafe legal[place] = isLegal ? 1 : 0 }
      }
    }
  }
}

@c @implementation
public func tupelo_legal(
  _ rows: Int32, _ columns: Int32, _ count: Int64, _ boards: UnsafePointer<UInt64>?, _ overflow: UnsafePointer<UInt32>?,
  _ legal: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  status {
    let shape = try BoardShape(rows: rows, columns: columns)
    guard let boards = try unsafe BoardArray(boards, overflow, count: count, shape: shape, "boards") else { return }
    let legal = try unsafe Memory.array(legal, 4 * boards.count, "legal")
    let table = MoveTable(shape)
    for index in 0..<boards.count {
      let moves = table.legalMoves(on: boards[index])
      for move in Move.allCases { unsafe legal[4 * index + move.rawValue] = moves.contains(move) ? 1 : 0 }
    }
  }
}
