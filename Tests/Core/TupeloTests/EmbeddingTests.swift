import Testing
import Tupelo

/// What an app does, with the one import that its author is told of.
@Suite struct EmbeddingTests {
  private static func network() throws -> NTupleNetwork {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return try NTupleNetwork(path: "/\(root)/models/17x4/model.safetensors")
  }

  @Test func itGivesHints() async throws {
    let searcher = Searcher(try Self.network())
    let board = try Board(hex: "1234000000000000")
    let analysis = try await searcher.analyze(board, limits: .plies(2))
    // A full row of different tiles at the upper edge can only go down.
    #expect(analysis.candidates.map(\.move) == [.down])
    let cancellation = SearchCancellation()
    cancellation.cancel()
    #expect(throws: CancellationError.self) {
      try searcher.analyze(board, limits: .time(.seconds(9)), cancellation: cancellation)
    }
  }

  @Test func itPlaysAndKeepsGames() throws {
    var game = Game(seed: 7)
    var record = GameRecord(.init(rules: .standard, start: game.board, agent: "expectimax(plies: 1)", seed: 7))
    var agent = try AgentSpecification(text: "expectimax(plies: 1)").makeAgent(model: Self.network())
    while let move = agent.move(on: game.board), let turn = game.play(move) { record.append(turn) }
    #expect(game.score > 1000)
    let positions = try GameRecord(text: record.text).replay()
    #expect(positions.last?.board == game.board && positions.last?.score == game.score)
  }

  @Test func itDrawsMoves() throws {
    var board = IdentifiedBoard(try Board(hex: "1100000000000000"))
    let played = board.play(.left, appeared: ChanceOutcome(cell: 5, exponent: 1, probability: 0.9))
    let trace = try #require(played)
    #expect(trace.absorbed.count == 1 && trace.reward == 4 && trace.appeared.cell == 5)
  }

  @Test func aMissingModelIsNamed() {
    #expect(throws: SystemError.self) { try NTupleNetwork(path: "missing.safetensors") }
  }
}
