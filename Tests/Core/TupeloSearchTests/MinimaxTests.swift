import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

@Suite struct MinimaxTests {
  private static func check(_ rules: Rules, seed: UInt64) throws {
    let naive = NaiveExpectimax(HashEvaluator(), rules: rules, isAdversarial: true)
    for plies in 1...3 {
      var minimax = Minimax(HashEvaluator(), plies: plies, rules: rules)
      var expectimax = Expectimax(HashEvaluator(), plies: plies, rules: rules)
      for board in try ExpectimaxTests.boards(plies == 3 ? 8 : 25, rules: rules, seed: seed) {
        let analysis = minimax.analyze(board)
        let average = expectimax.analyze(board)
        #expect(analysis.candidates.map(\.move) == average.candidates.map(\.move))
        for candidate in analysis.candidates {
          let expected = try #require(naive.value(of: candidate.move, on: board, plies: plies))
          let tolerance: Double = 0.01 + abs(expected) * 1e-5
          #expect(abs(candidate.value - expected) < tolerance)
          // The least value is not above the mean, except for the rounding of the mean.
          let mean = try #require(average[candidate.move]).value
          #expect(candidate.value <= mean + abs(mean) * 1e-6)
        }
        #expect(minimax.move(on: board) == analysis.best?.move)
      }
    }
  }

  @Test func equalsPlainMinimaxAndIsNeverAboveExpectimax() throws {
    try Self.check(.standard, seed: 31)
    try Self.check(Rules(shape: BoardShape(rows: 3, columns: 2), fourProbability: 0.5), seed: 32)
    try Self.check(Rules(fourProbability: 0), seed: 33)
  }

  /// Alpha-beta skips nodes that cannot matter: it plays the same moves and visits fewer nodes than there are.
  @Test func pruningChangesNoMoveOfAGame() throws {
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 3))
    let evaluator = HeuristicEvaluator(shape: rules.shape)
    for plies in 2...5 {
      var minimax = Minimax(evaluator, plies: plies, rules: rules)
      var game = Game(rules: rules, seed: UInt64(plies))
      while let best = minimax.analyze(game.board).best {
        #expect(minimax.move(on: game.board) == best.move)
        game.play(best.move)
      }
      #expect(game.isOver)
    }
  }
}
