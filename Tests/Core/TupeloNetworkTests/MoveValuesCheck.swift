import Testing
import TupeloEngine
import TupeloNetwork

/// Expects the values of moves that a network was asked to prepare, in the order of the boards and in another order.
///
/// - Parameter values: memory for the moves on three boards
func expectMoveValues(
  of network: some Evaluator, _ values: any MoveValues, on boards: [Afterstate], in shape: BoardShape = .standard
) {
  let table = MoveTable(shape)
  var moves = 0
  for start in stride(from: 0, to: boards.count - 2, by: 2) {
    let successors = (start..<start + 3).map {
      table.successors(of: Board(bits: boards[$0].bits, overflow: boards[$0].overflow))
    }
    for place in 0..<3 { values.prepare(successors[place], place: place) }
    for place in start.isMultiple(of: 4) ? [0, 1, 2] : [2, 0, 1] {
      let found = values.values(of: successors[place], place: place)
      for move in Move.allCases where successors[place].legal.contains(move) {
        #expect(found[move.rawValue] == network.value(of: successors[place].afterstate(of: move)))
        moves += 1
      }
    }
  }
  #expect(moves > 20)
}
