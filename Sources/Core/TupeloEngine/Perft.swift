/// Counts the paths of `depth` moves from `board`, each followed by each tile that may appear. It is the standard check
/// of a move generator.
///
/// The count is 1 at depth 0. At depth d it is the sum over all legal moves and chance outcomes of the counts at depth
/// d - 1.
public func perft(_ board: Board, depth: Int, rules: Rules = .standard) -> Int {
  Perft(table: MoveTable(rules.shape), chance: ChanceModel(rules)).count(board, depth: depth)
}

private struct Perft {
  let table: MoveTable
  let chance: ChanceModel

  func count(_ board: Board, depth: Int) -> Int {
    guard depth > 0 else { return 1 }
    var total = 0
    for move in Move.allCases {
      guard let outcome = table.afterstate(of: move, on: board) else { continue }
      for tile in chance.outcomes(of: outcome.afterstate) {
        total += count(outcome.afterstate.board(after: tile), depth: depth - 1)
      }
    }
    return total
  }
}
