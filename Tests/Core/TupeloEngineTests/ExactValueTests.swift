import TestSupport
import Testing
import TupeloEngine

/// Exact values of small boards, compared with published ones and with a plainer form of the solver.
@Suite struct ExactValueTests {
  private static func rules(_ rows: Int, _ columns: Int, four: Double = 0.1) throws -> Rules {
    try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: four)
  }

  /// Published values to six decimals, and the number of positions up to symmetry.
  @Test(arguments: [(2, 2, 66.964149, 67.696264, 110), (2, 3, 480.258272, 480.985581, 21_752)])
  func published(_ rows: Int, _ columns: Int, _ start: Double, _ fromTwos: Double, _ positions: Int) throws {
    let solver = ExactSolver(rules: try Self.rules(rows, columns))
    #expect(abs(solver.startValue - start) < 5.1e-7)
    #expect(abs(solver.startValueFromTwos - fromTwos) < 5.1e-7)
    #expect(solver.positions == positions)
    let turned = ExactSolver(rules: try Self.rules(columns, rows))
    #expect(abs(turned.startValue - solver.startValue) < 1e-9)
  }

  /// Expectimax over matrices, without symmetry: slow and plain.
  private struct Plain {
    let four: Double
    var known: [ReferenceBoard: Double] = [:]

    mutating func value(_ board: ReferenceBoard) -> Double {
      if let value = known[board] { return value }
      var best = 0.0
      for move in Move.allCases {
        guard let next = board.moved(move) else { continue }
        best = max(best, Double(next.reward) + expectation(next.board))
      }
      known[board] = best
      return best
    }

    mutating func expectation(_ afterstate: ReferenceBoard) -> Double {
      var sum = 0.0
      for spawn in afterstate.spawns(fourProbability: four) { sum += spawn.probability * value(spawn.board) }
      return sum
    }
  }

  @Test(arguments: [0, 0.1, 0.5, 1]) func everyValueIsThatOfPlainExpectimax(_ four: Double) throws {
    let solver = ExactSolver(rules: try Self.rules(2, 2, four: four))
    var plain = Plain(four: four)
    let empty = ReferenceBoard(shape: solver.rules.shape)
    let start = empty.spawns(fourProbability: four).flatMap { first in
      first.board.spawns(fourProbability: four).map { ($0.board, $0.probability * first.probability) }
    }
    let expected = start.reduce(0) { $0 + $1.1 * plain.value($1.0) }
    #expect(abs(solver.startValue - expected) < 1e-9)
    for (board, value) in plain.known {
      #expect(abs(solver.value(of: board.engineBoard) - value) < 1e-9)
      for move in Move.allCases {
        guard let next = board.moved(move) else {
          #expect(solver.value(of: move, on: board.engineBoard) == nil)
          continue
        }
        let afterstate = plain.expectation(next.board)
        #expect(abs(solver.value(of: next.board.engineAfterstate) - afterstate) < 1e-9)
        let worth = try #require(solver.value(of: move, on: board.engineBoard))
        #expect(abs(worth - afterstate - Double(next.reward)) < 1e-9)
      }
      let best = solver.move(on: board.engineBoard)
      #expect((best == nil) == board.legalMoves.isEmpty)
      if let best { #expect(abs((solver.value(of: best, on: board.engineBoard) ?? .nan) - value) < 1e-9) }
    }
  }

  /// The best policy is worth the optimum, and any other policy less. A policy that never moves is worth nothing.
  @Test(arguments: [(2, 2), (2, 3)]) func policiesAreWorthWhatTheyAreWorth(_ rows: Int, _ columns: Int) throws {
    let solver = ExactSolver(rules: try Self.rules(rows, columns))
    let shape = solver.rules.shape
    #expect(abs(solver.startValue { solver.move(on: $0) } - solver.startValue) < 1e-9)
    let first = solver.startValue { $0.legalMoves(in: shape).moves.first }
    #expect(first > 0 && first < solver.startValue - 1)
    #expect(solver.startValue { _ in nil } == 0)
    let board = try Board(exponents: [1, 1] + Array(repeating: 0, count: rows * columns - 2), shape: shape)
    #expect(abs(solver.value(of: board) { solver.move(on: $0) } - solver.value(of: board)) < 1e-9)
    // An illegal move ends the game.
    #expect(solver.value(of: board, under: { _ in .left }) >= 4)
    #expect(solver.value(of: board, under: { _ in .up }) == 0)
  }

  /// Exact policy values are compared with games that are played: the mean of 20,000 lies within four standard errors.
  @Test func playedGamesAverageToTheExactValue() throws {
    let rules = try Self.rules(2, 3)
    let exact = ExactSolver(rules: rules).startValue { $0.legalMoves(in: rules.shape).moves.first }
    let scores = (0..<20_000 as Range<UInt64>).map { number in
      var game = Game(rules: rules, seed: 12, number: number)
      while let move = game.legalMoves.moves.first { game.play(move) }
      return Double(game.score)
    }
    let mean = scores.reduce(0, +) / Double(scores.count)
    let variance = scores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(scores.count - 1)
    #expect(abs(mean - exact) < 4 * (variance / Double(scores.count)).squareRoot())
  }
}
