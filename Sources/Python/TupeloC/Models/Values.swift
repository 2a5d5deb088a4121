// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloBase
internal import TupeloEngine
internal import TupeloTraining

/// Computes the values of many positions, piece by piece.
///
/// The positions of a piece are copied, because the caller's memory may change while they are valued.
private struct PiecewiseValues {
  static let piece = 1024

  var states: [Afterstate] = []
  var values = [Float](repeating: 0, count: piece)

  init() { states.reserveCapacity(Self.piece) }

  /// Writes the value of each of `states` to the start of `values`, and removes all states.
  mutating func evaluate(by evaluator: any Evaluator) {
    let given = states
    var span = values.mutableSpan
    evaluator.evaluate(given.span, into: &span)
    states.removeAll(keepingCapacity: true)
  }
}

@c @implementation
public func tupelo_model_values(
  _ model: Int64, _ count: Int64, _ afterstates: UnsafePointer<UInt64>?, _ overflow: UnsafePointer<UInt32>?,
  _ values: UnsafeMutablePointer<Float>?
) -> Int32 {
  status {
    let model = try Objects.shared(model, as: Model.self).board()
    let given = try unsafe BoardArray(afterstates, overflow, count: count, shape: model.shape, "afterstates")
    guard let boards = given else { return }
    let values = try unsafe Memory.array(values, boards.count, "values")
    var piece = PiecewiseValues()
    for first in stride(from: 0, to: boards.count, by: PiecewiseValues.piece) {
      let end = min(first + PiecewiseValues.piece, boards.count)
      for index in first..<end {
        let board = boards[index]
        piece.states.append(Afterstate(bits: board.bits, overflow: board.overflow))
      }
      piece.evaluate(by: model)
      for index in first..<end { unsafe values[index] = piece.values[index - first] }
    }
  }
}

@c @implementation
public func tupelo_model_move_values(
  _ model: Int64, _ count: Int64, _ boards: UnsafePointer<UInt64>?, _ overflow: UnsafePointer<UInt32>?,
  _ values: UnsafeMutablePointer<Float>?, _ best: UnsafeMutablePointer<Int8>?
) -> Int32 {
  status {
    let model = try Objects.shared(model, as: Model.self).board()
    let given = try unsafe BoardArray(boards, overflow, count: count, shape: model.shape, "boards")
    guard let boards = given else { return }
    let values = try unsafe Memory.optional(values, "values")
    let table = MoveTable(model.shape)
    var piece = PiecewiseValues()
    var successors: [Successors] = []
    let boardsAtOnce = PiecewiseValues.piece / 4
    for first in stride(from: 0, to: boards.count, by: boardsAtOnce) {
      let end = min(first + boardsAtOnce, boards.count)
      successors.removeAll(keepingCapacity: true)
      for index in first..<end {
        successors.append(table.successors(of: boards[index]))
        for move in 0..<4 {
          // An illegal move has no afterstate, and nothing reads its place.
          let isLegal = successors[index - first].legal.mask >> UInt8(move) & 1 == 1
          piece.states.append(isLegal ? successors[index - first].afterstate(number: move) : .empty)
        }
      }
      piece.evaluate(by: model)
      for index in first..<end {
        let own = successors[index - first]
        var sums = SIMD4<Float>(repeating: .nan)
        for move in 0..<4 where own.legal.mask >> UInt8(move) & 1 == 1 {
          sums[move] = Float(own.rewards[move]) + piece.values[4 * (index - first) + move]
        }
        if let values = unsafe values { for move in 0..<4 { unsafe values[4 * index + move] = sums[move] } }
        if let best = unsafe best { unsafe best[index] = own.legal.best(by: sums).map { Int8($0.rawValue) } ?? -1 }
      }
    }
  }
}
