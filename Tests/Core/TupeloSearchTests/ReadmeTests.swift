import Testing
import TupeloEngine
import TupeloNetwork
import TupeloSearch

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() async throws {
    let network = try NTupleNetwork(.named("17x4"))
    var search = Expectimax(network, plies: 2)
    let board = try Board(hex: "1200000000000000")
    let analysis = search.analyze(board)
    for candidate in analysis.candidates {
      print(candidate.move, candidate.reward, candidate.value, candidate.difference)
    }
    print(search.move(on: board) == analysis.best?.move)
    #expect(analysis.candidates.count == 2)
    #expect(search.move(on: board) == analysis.best?.move)

    let searcher = Searcher(network)
    let move = try await searcher.move(on: board)
    var deeper = Expectimax(network, plies: 3)
    #expect(move == deeper.move(on: board))
    let thought = try await searcher.analyze(board, limits: .time(.milliseconds(50)))
    print(thought.plies, thought.nodes)
    #expect(thought.candidates.count == 2)

    var agent = try AgentSpecification(text: "expectimax(plies: 3, downgrade: 32768)").makeAgent(model: network)
    print(agent.move(on: board) as Any)
    #expect(agent.move(on: board) != nil)
  }
}
