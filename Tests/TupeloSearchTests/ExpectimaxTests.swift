import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloSearch

/// A value that depends on every cell and is cheap to compute twice.
private struct StubEvaluator: Evaluator {
  func value(of afterstate: Afterstate) -> Float {
    Float((afterstate.bits &* 0x9e37_79b9_7f4a_7c15) >> 48) / 16
  }
}

/// The search against expectimax in its plainest form.
@Suite struct ExpectimaxTests {
  /// The best reward plus value over the legal moves; 0 when there is none.
  private static func choice(_ board: Board, plies: Int, rules: Rules, by evaluator: some Evaluator) -> Double {
    Move.allCases.compactMap { board.afterstate(of: $0, in: rules.shape) }
      .map { Double($0.reward) + value($0.afterstate, plies: plies, rules: rules, by: evaluator) }
      .max() ?? 0
  }

  private static func value(_ afterstate: Afterstate, plies: Int, rules: Rules, by evaluator: some Evaluator) -> Double
  {
    if plies == 1 { return Double(evaluator.value(of: afterstate)) }
    return ChanceModel(rules).outcomes(of: afterstate).reduce(0) {
      $0 + $1.probability * choice(afterstate.board(after: $1), plies: plies - 1, rules: rules, by: evaluator)
    }
  }

  private static func check(_ evaluator: some Evaluator, rules: Rules, seed: UInt64) {
    var positions = RandomPositions(seed: seed, shape: rules.shape)
    for plies in 1...3 {
      var search = Expectimax(evaluator, plies: plies, rules: rules)
      for _ in 0..<(plies == 3 ? 5 : 25) {
        guard let board = try? Board(exponents: positions.matrix(largest: 9).flatMap { $0 }, shape: rules.shape) else {
          Issue.record("a random matrix is a board")
          return
        }
        let analysis = search.analyze(board)
        for move in Move.allCases {
          guard let outcome = board.afterstate(of: move, in: rules.shape) else {
            #expect(analysis[move] == nil)
            continue
          }
          let expected = Double(outcome.reward) + value(outcome.afterstate, plies: plies, rules: rules, by: evaluator)
          #expect(abs((analysis[move]?.value ?? .nan) - expected) < 0.01 + abs(expected) * 1e-5)
          #expect(analysis[move]?.reward == outcome.reward)
        }
        #expect(search.move(on: board) == analysis.best?.move)
        #expect((analysis.best?.value ?? 0) == (analysis.candidates.map(\.value).max() ?? 0))
      }
    }
  }

  @Test func equalsPlainExpectimaxWithStub() throws {
    Self.check(StubEvaluator(), rules: .standard, seed: 1)
    Self.check(StubEvaluator(), rules: try Rules(shape: BoardShape(rows: 2, columns: 3), fourProbability: 0.5), seed: 2)
    Self.check(StubEvaluator(), rules: try Rules(fourProbability: 0), seed: 3)
  }

  @Test func equalsPlainExpectimaxWithNetwork() throws {
    let network = try NTupleNetwork(
      NetworkSpecification(patterns: ["0123", "4567", "0145"].map { try TuplePattern(text: $0) }))
    var positions = RandomPositions(seed: 4)
    for pattern in 0..<3 {
      for index in 0..<(1 << 16) {
        network[pattern: pattern, standardIndex: index] = Float(positions.number(in: 0...100))
      }
    }
    Self.check(network, rules: .standard, seed: 5)
  }

  @Test func finishedGamesHaveNoMove() throws {
    let board = try Board(hex: "1212212112122121")
    var search = Expectimax(StubEvaluator(), plies: 2)
    #expect(search.move(on: board) == nil)
    #expect(search.analyze(board).candidates.isEmpty)
    var random = RandomAgent()
    #expect(random.move(on: board) == nil)
  }
}
