import Foundation
import Testing
import TupeloEngine
import TupeloSearch
import TupeloWeb

/// Records that are looked back at.
@Suite struct GameTests {
  private struct Replay: Decodable {
    let agent: String
    let steps: Int
    let score: Int
    let board: String
    let over: Bool
    let boards: [String]
    let scores: [Int]
  }

  private struct Review: Decodable {
    struct Judgement: Decodable {
      let best: String?
      let difference: Double?
    }
    let plies: Int
    let moves: [Judgement]
  }

  private static func randomGame(seed: UInt64) -> (record: GameRecord, game: Game) {
    var game = Game(seed: seed)
    var agent = RandomAgent(seed: seed)
    var record = GameRecord(.init(rules: .standard, start: game.board, agent: "random"))
    while let move = agent.move(on: game.board), let turn = game.play(move) { record.append(turn) }
    return (record, game)
  }

  @Test func replayTellsEveryPosition() async throws {
    for seed in 1...5 {
      let (record, game) = Self.randomGame(seed: UInt64(seed))
      let response = try await WebService.stub().post("/api/replay", record.text)
      let replay = try JSONDecoder().decode(Replay.self, from: Data(response.body))
      #expect(replay.board == game.board.hex() && replay.score == game.score && replay.over)
      #expect(replay.agent == "random" && replay.steps == game.plies)
      #expect(replay.boards.count == game.plies + 1 && replay.scores.count == game.plies + 1)
      #expect(replay.boards.first == record.header.start.hex() && replay.scores.first == 0)
    }
  }

  @Test func badRecordsGetTheEnginesReason() async throws {
    let service = WebService.stub()
    let (record, _) = Self.randomGame(seed: 3)
    for (text, reason) in [
      ("", "the first line is not a record header"), ("hello", "the first line is not a record header"),
      (record.text + "x99", "step \(record.steps.count + 1) is 'x99'"),
      (record.text.replacingOccurrences(of: "\"rows\":4", with: "\"rows\":3"), "the first line is not a record header"),
    ] {
      let response = try await service.post("/api/replay", text)
      #expect(response.status == 400)
      #expect(response.text.hasPrefix(reason), "\(response.text)")
    }
    let noText = await service.respond(to: try WebRequest(method: "POST", target: "/api/replay", body: [0xff, 0xfe]))
    #expect(noText.status == 400 && noText.text == "the body is not UTF-8")
  }

  @Test func reviewJudgesEachMove() async throws {
    let (record, _) = Self.randomGame(seed: 9)
    let boards = try record.replay().map(\.board)
    let positions = zip(boards, record.steps).map { "\($0.hex())\($1.move.letter)" }.joined(separator: "\n ")
    let response = try await WebService.stub().post("/api/review?plies=1", positions)
    let review = try JSONDecoder().decode(Review.self, from: Data(response.body))
    #expect(review.moves.count == record.steps.count && review.plies == 1)
    var search = Expectimax(StubEvaluator(), plies: 1)
    for ((board, step), judgement) in zip(zip(boards, record.steps), review.moves) {
      let analysis = search.analyze(board)
      #expect(judgement.best == analysis.best.map { String($0.move.letter) })
      #expect(judgement.difference == analysis[step.move]?.difference)
    }
  }

  @Test func reviewRefusesWhatIsNoPosition() async throws {
    let service = WebService.stub()
    for (body, reason) in [
      ("1200000000000000r nonsense", "position 2 is 'nonsense'"),
      ("1200000000000000x", "position 1 is '1200000000000000x'"),
      ("12l", "position 1 is '12l'"),
      ("1200000000000000r 1000000000000000l", "position 2 is '1000000000000000l': its move changes nothing"),
      ("1212212112122121u", "position 1 is '1212212112122121u': its move changes nothing"),
      (String(repeating: "1200000000000000r ", count: 513), "513 positions are too many: send at most 512"),
    ] {
      let response = try await service.post("/api/review", body)
      #expect(response.status == 400)
      #expect(response.text.hasPrefix(reason), "\(response.text)")
    }
    #expect(try await service.post("/api/review", "").text.contains("\"moves\":[]"))
  }
}
