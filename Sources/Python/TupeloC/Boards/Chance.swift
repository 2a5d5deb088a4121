// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloEngine

@c @implementation
public func tupelo_random(_ seed: UInt64, _ stream: UInt64, _ random: UnsafeMutablePointer<UInt64>?) -> Int32 {
  status {
    let random = try unsafe Memory.array(random, 4, "random")
    unsafe RandomStream(seed: seed, stream: stream).write(to: random)
  }
}

@c @implementation
public func tupelo_spawn(
  _ rows: Int32, _ columns: Int32, _ fourProbability: Double, _ count: Int64, _ afterstates: UnsafePointer<UInt64>?,
  _ overflow: UnsafePointer<UInt32>?, _ random: UnsafeMutablePointer<UInt64>?, _ boards: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let shape = try BoardShape(rows: rows, columns: columns)
    let chance = ChanceModel(try Rules(shape: shape, fourProbability: fourProbability, startTiles: 1))
    let random = try unsafe Memory.array(random, 4, "random")
    guard var stream = unsafe RandomStream(words: random) else {
      throw Fault.invalid("random is not a random stream: its four words are zero")
    }
    guard
      let afterstates = try unsafe BoardArray(afterstates, overflow, count: count, shape: shape, "afterstates")
    else { return }
    let boards = try unsafe Memory.array(boards, afterstates.count, "boards")
    for index in 0..<afterstates.count where chance.emptyMask(of: Afterstate(bits: afterstates[index].bits)) == 0 {
      throw Fault.invalid("afterstates[\(index)] has no empty cell, so no tile can appear")
    }
    for index in 0..<afterstates.count {
      let afterstate = Afterstate(bits: afterstates[index].bits)
      // Another thread may have filled the board since it was checked.
      guard chance.emptyMask(of: afterstate) != 0 else { continue }
      unsafe boards[index] = chance.board(after: afterstate, using: &stream).bits
    }
    unsafe stream.write(to: random)
  }
}
