import Foundation
import Testing

/// A game of Set, as the engine of the page reports it.
struct SetGameReply: Decodable, Equatable {
  struct NamedCard: Decodable, Equatable {
    let card: String
    let name: String
  }
  struct Turn: Decodable, Equatable {
    let taken: [NamedCard]
    let dealt: [NamedCard]
    let pattern: String?
  }
  let seed: String
  let game: String
  let choices: [String]
  let table: [NamedCard]
  let deck: Int
  let unseen: String
  let score: Int
  let sets: [[Int]]
  let stuck: Bool
  let over: Bool
  let last: Turn?
  let record: String
}

/// Every Set on a table, as the engine of the page reports it.
struct SetAnalysisReply: Decodable {
  struct Choice: Decodable {
    let cards: [String]
    let value: Double?
    let difference: Double?
    let tableSets: Int
    let setsLeft: Int
  }
  let agent: String
  let best: [String]?
  let exact: Bool
  let over: Bool
  let choices: [Choice]
}

/// Set in the engine of the page, under node.
enum SetModule {
  /// A request, with the name of a function of `makeSetEngine`.
  struct Question: Encodable {
    let kind: String
    var seed, game, player, text, unseen, agent: String?
    var choices, cards: [String]?

    static func game(
      seed: String, number: String = "0", choices: [String] = [], player: String = "person"
    ) -> Question {
      Question(kind: "game", seed: seed, game: number, player: player, choices: choices)
    }

    static func record(_ text: String) -> Question { Question(kind: "record", text: text) }

    static func claim(_ cards: [String]) -> Question { Question(kind: "claim", cards: cards) }

    static func analyze(_ table: [String], unseen: String, agent: String) -> Question {
      Question(kind: "analyze", unseen: unseen, agent: agent, cards: table)
    }
  }

  /// An answer, or the reason why there is none.
  struct Reply<Answer: Decodable>: Decodable {
    let answer: Answer?
    let refusal: String?
  }

  /// Calls a new engine.
  ///
  /// - Parameter model: the path of a model of Set, which the engine loads first
  static func replies<Answer: Decodable>(
    to questions: [Question], as type: Answer.Type, model: String = ""
  ) async throws -> [Reply<Answer>] {
    let encoder = JSONEncoder()
    let lines = try [model] + questions.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    let output = try await Node.run(
      """
      (async () => {
        const [model, ...lines] = input.split("\\n");
        const host = makeEngine(ENGINE_MODULE);
        if (model !== "") await host.load(require("fs").readFileSync(model), () => {});
        const engine = makeSetEngine(host);
        for (const line of lines) {
          const { kind, ...values } = JSON.parse(line);
          try {
            const seeded = kind === "analyze" ? { seed: [1, 2] } : {};
            console.log(JSON.stringify({ answer: engine[kind]({ ...values, ...seeded }) }));
          } catch ({ name, message }) {
            if (name !== "Refused") throw new Error(message);
            console.log(JSON.stringify({ refusal: message }));
          }
        }
      })();
      """, input: lines.joined(separator: "\n"))
    let replies = try output.split(separator: "\n").map {
      try JSONDecoder().decode(Reply<Answer>.self, from: Data($0.utf8))
    }
    try #require(replies.count == questions.count)
    return replies
  }
}
