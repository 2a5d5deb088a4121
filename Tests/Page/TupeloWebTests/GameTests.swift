import Foundation
import Testing
import TupeloEngine
import TupeloSearch

/// Records of games that the page replays.
@Suite(.enabled(if: Node.isHere, "\(Node.isMissing)"))
struct GameTests {
  private static func randomGame(seed: UInt64) -> GameRecord {
    var game = Game(seed: seed)
    var agent = RandomAgent(seed: seed)
    var record = GameRecord(.init(rules: .standard, start: game.board, agent: "random"))
    while let move = agent.move(on: game.board), let turn = game.play(move) { record.append(turn) }
    return record
  }

  /// The page's reading of texts: a line each, with an error, or with all positions.
  private static func replies(to texts: [String]) async throws -> [String] {
    let output = try await Node.run(
      """
      for (const text of JSON.parse(input)) {
        try {
          const positions = GameText.replay(GameText.read(text));
          console.log(positions.map(({ board, score }) => `${Rules.hex(board)} ${score}`).join(","));
        } catch ({ message }) {
          console.log(message);
        }
      }
      """, input: String(decoding: try JSONEncoder().encode(texts), as: UTF8.self))
    return output.split(separator: "\n").map(String.init)
  }

  @Test func replayTellsEveryPosition() async throws {
    let records = (1...5 as ClosedRange<UInt64>).map(Self.randomGame)
    let replies = try await Self.replies(to: records.map(\.text))
    try #require(replies.count == records.count)
    for (record, reply) in zip(records, replies) {
      let positions = try record.replay().map { "\($0.board.hex()) \($0.score)" }
      #expect(reply == positions.joined(separator: ","))
    }
  }

  @Test func badRecordsGetAReason() async throws {
    let record = Self.randomGame(seed: 3)
    let bad = [
      ("", "The first line is not a record’s header"), ("hello", "The first line is not a record’s header"),
      (record.text + " x99", "Step \(record.steps.count + 1) is ‘x99’"),
      (record.text.replacing("\"rows\":4", with: "\"rows\":2"), "The record is not of a 4x4, 3x4 or 3x3 board"),
      (record.text.replacing("\"rows\":4", with: "\"rows\":3"), "A board has 12 digits, this has 16"),
      (record.text.replacing("\"tupelo_record\":1", with: "\"tupelo_record\":2"), "The record has format 2"),
      (record.text + " l02", "Step \(record.steps.count + 1) moves left, which changes nothing"),
    ]
    let replies = try await Self.replies(to: bad.map(\.0))
    try #require(replies.count == bad.count)
    for ((_, reason), reply) in zip(bad, replies) { #expect(reply.hasPrefix(reason), "\(reply)") }
  }
}
