import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloSearch

/// Values that are infinite or not a number, as a broken network has them: every agent plays a legal move, and the best
/// move of its analysis is this move.
@Suite struct UnusualValueTests {
  /// Has one of a few values for each afterstate.
  private struct Unusual: Evaluator {
    let values: [Float]

    func value(of afterstate: Afterstate) -> Float {
      values[Int((afterstate.bits &* 0x9e37_79b9_7f4a_7c15) >> 40) % values.count]
    }
  }

  private static let all: [[Float]] = [
    [.nan], [.infinity], [-.infinity], [.nan, 5], [.nan, -.infinity], [.nan, .infinity], [.infinity, -.infinity],
    [.nan, .infinity, -.infinity, 5, -7],
  ]

  /// The first of the moves with the largest value. A value that is not a number is never larger.
  private static func first(of values: [(move: Move, value: Double)]) -> Move? {
    var best = values.first
    for one in values {
      let isFirstNumber = best.map { $0.value.isNaN } == true && one.value > -.infinity
      if isFirstNumber || best.map({ one.value > $0.value }) == true { best = one }
    }
    return best?.move
  }

  private static func check(_ agent: inout AnyAgent, on board: Board, _ name: String) throws {
    agent.beginGame(seed: 1, number: 1)
    let analyzed = agent.analyze(board)
    let analysis = try #require(analyzed)
    let values = analysis.candidates.map { (move: $0.move, value: $0.value) }
    let expected = first(of: values)
    // A limit on nodes reaches the same depth again only without remembered values.
    agent.beginGame(seed: 1, number: 2)
    #expect(analysis.best?.move == expected && agent.move(on: board) == expected, "\(name): \(values)")
    #expect(analysis.candidates.allSatisfy { $0.difference <= 0 }, "\(name): \(analysis.candidates)")
  }

  @Test(arguments: all) func theBestMoveIsTheMovePlayed(_ values: [Float]) throws {
    let evaluator = Unusual(values: values)
    let agents = [
      "expectimax(plies: 1, extend: 0)", "expectimax(plies: 2)", "expectimax(plies: 3)", "expectimax(nodes: 300)",
      "expectimax(plies: 2, threads: 2)", "minimax(plies: 1)", "minimax(plies: 2)", "minimax(plies: 3)",
      "montecarlo(rollouts: 2, policy: greedy)",
    ]
    for (name, board) in zip(agents + agents, try ExpectimaxTests.boards(2 * agents.count, seed: 19)) {
      let specification = try AgentSpecification(text: name)
      var agent = try specification.makeAgent(model: evaluator, seed: 1)
      guard name.hasPrefix("montecarlo") else {
        try Self.check(&agent, on: board, name)
        continue
      }
      // An analysis and a move have different random numbers.
      #expect(agent.move(on: board) != nil && agent.analyze(board)?.best != nil)
    }
  }

  /// The values of one ply are known without a search.
  @Test(arguments: all) func onePlyIsTheOrderOfTheValues(_ values: [Float]) async throws {
    let evaluator = Unusual(values: values)
    let searcher = Searcher(evaluator, limits: .plies(1))
    let table = MoveTable(.standard)
    for board in try ExpectimaxTests.boards(20, seed: 20) {
      let moves = Move.allCases.compactMap { move in
        board.afterstate(of: move, in: .standard).map {
          (move: move, value: Double($0.reward) + Double(evaluator.value(of: $0.afterstate)))
        }
      }
      let expected = Self.first(of: moves)
      #expect(try await searcher.move(on: board) == expected)
      let successors = table.successors(of: board)
      #expect(successors.best { evaluator.value(of: successors.afterstate(of: $0)) }?.move == expected)
    }
  }

  /// A network with weights that are not numbers.
  @Test func greedyPlayOfABrokenNetwork() throws {
    let network = try ExpectimaxTests.network()
    for index in stride(from: 0, to: 1 << 16, by: 3) { network[pattern: 0, standardIndex: index] = .nan }
    var agent = AnyAgent.greedy(network)
    for board in try ExpectimaxTests.boards(20, seed: 21) { try Self.check(&agent, on: board, "greedy") }
  }
}
