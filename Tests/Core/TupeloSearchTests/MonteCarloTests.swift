import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

/// Rollouts on 2x2, where the limit of their mean can be computed.
@Suite struct MonteCarloTests {
  private static let rollouts = 3000

  /// The expected score of a board under uniformly random moves.
  private static func randomValue(_ board: ReferenceBoard, _ known: inout [ReferenceBoard: Double]) -> Double {
    if let value = known[board] { return value }
    let moves = board.legalMoves
    var sum = 0.0
    for move in moves {
      guard let next = board.moved(move) else { continue }
      sum += Double(next.reward)
      for spawn in next.board.spawns(fourProbability: 0.1) {
        sum += spawn.probability * randomValue(spawn.board, &known)
      }
    }
    let value = moves.isEmpty ? 0 : sum / Double(moves.count)
    known[board] = value
    return value
  }

  private static func check(
    _ agent: inout MonteCarlo<HashEvaluator>, rules: Rules, value: (ReferenceBoard) -> Double
  ) throws {
    var (checked, chosen) = (0, 0)
    for board in try ExpectimaxTests.boards(60, rules: rules, seed: 41, largest: 4) {
      let analysis = agent.analyze(board)
      var values: [(move: Move, value: Double)] = []
      for candidate in analysis.candidates {
        let next = try #require(ReferenceBoard(board, shape: rules.shape).moved(candidate.move))
        let expected = next.board.spawns(fourProbability: 0.1).reduce(Double(next.reward)) {
          $0 + $1.probability * value($1.board)
        }
        values.append((candidate.move, expected))
        // A game of 2x2 scores 40 with a standard deviation of 40: five standard errors are 3.6 points.
        #expect(abs(candidate.value - expected) < 4, "\(board.hex(in: rules.shape)) \(candidate.move) \(expected)")
        #expect(candidate.reward == next.reward)
        checked += 1
      }
      values.sort { $0.value > $1.value }
      if values.count > 1, values[0].value > values[1].value + 4 {
        #expect(agent.move(on: board) == values[0].move)
        chosen += 1
      }
    }
    #expect(checked > 30 && chosen >= 5, "\(checked) \(chosen)")
  }

  @Test func randomRolloutsTendToTheirExactValues() throws {
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 2))
    var agent = MonteCarlo(HashEvaluator(), rollouts: Self.rollouts, policy: .random, rules: rules)
    var known: [ReferenceBoard: Double] = [:]
    try Self.check(&agent, rules: rules) { Self.randomValue($0, &known) }
  }

  @Test func greedyRolloutsTendToTheirExactValues() throws {
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 2))
    var agent = MonteCarlo(HashEvaluator(), rollouts: Self.rollouts, policy: .greedy, rules: rules)
    var greedy = Expectimax(HashEvaluator(), rules: rules)
    let solver = ExactSolver(rules: rules)
    try Self.check(&agent, rules: rules) { solver.value(of: $0.engineBoard) { greedy.move(on: $0) } }
  }

  /// Seed and number determine the agent's rollouts, whatever was played before. All games get the same tiles here.
  @Test func lotsComeFromTheGame() throws {
    let rules = try Rules(shape: BoardShape(rows: 3, columns: 3))
    func game(_ agent: inout MonteCarlo<HeuristicEvaluator>, number: UInt64) -> [Move] {
      agent.beginGame(seed: 5, number: number)
      var game = Game(rules: rules, seed: 5, number: 7)
      var moves: [Move] = []
      while let move = agent.move(on: game.board) {
        moves.append(move)
        game.play(move)
      }
      return moves
    }
    var agent = MonteCarlo(rollouts: 3, rules: rules)
    let first = game(&agent, number: 7)
    #expect(game(&agent, number: 8) != first)
    #expect(game(&agent, number: 7) == first)
  }
}
