import Foundation
import SetEngine
import TestSupport
import Testing

/// The card game Set on the command line. Expected figures are the published ones, or are computed from the output
/// by the rules alone.
@Suite(.serialized) final class SetCommandTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("set")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private func json(_ result: Program.Result) throws -> [String: Any] {
    #expect(result.status == 0, "\(result)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  /// Trains a run of few games, and writes its model file.
  private func trainedModel() throws -> String {
    let run = folder + "/run"
    let result = try Program.run([
      "train", "--set", "game=set", "--set", "training.games=300", "--set", "training.threads=1", "--set",
      "evaluation.games=20", "--output", run,
    ])
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("tupelo evaluate \(run) --agent 'search(count: 20)'"))
    return run
  }

  /// H. Warne, 10 million Set games, 2011: a random player leaves nothing over in 1.22% of games.
  @Test func theRandomPlayerIsThePublishedOne() throws {
    let report = try json(
      Program.run([
        "evaluate", "--game", "set", "--agent", "random(exact: never)", "--games", "20k", "--json",
      ]))
    let rates = try #require(report["left_rates"] as? [String: Double])
    // Four standard errors of a share in 20,000 games.
    #expect(abs((rates["0"] ?? 0) - 0.0122) < 4 * (0.0122 * 0.9878 / 20_000).squareRoot(), "\(rates)")
    // Three cards left over would be a Set, since all 81 add up to zero.
    #expect(Set(rates.keys) == ["0", "6", "9", "12", "15", "18"] && abs(rates.values.reduce(0, +) - 1) < 1e-9)
    #expect(report["game"] as? String == "set" && report["cards"] as? Int == 81)
  }

  @Test(.slow) func aModelOfSetPlaysInEveryCommand() throws {
    let model = try trainedModel()
    let report = try json(Program.run(["evaluate", model, "--games", "40", "--seed", "5", "--json"]))
    let mean = try #require(report["score_mean"] as? Double)
    #expect(report["agent"] as? String == "greedy" && (20...27).contains(mean))
    // Each shard plays some of the same games.
    var shards: [String] = []
    for number in 1...2 {
      let path = folder + "/shard\(number).json"
      let shard = try Program.run(["evaluate", model, "--games", "40", "--seed", "5", "--shard", "\(number)/2"])
      #expect(shard.status == 0, "\(shard)")
      try shard.output.write(toFile: path, atomically: true, encoding: .utf8)
      shards.append(path)
    }
    let merged = try json(Program.run(["merge"] + shards + ["--json"]))
    #expect(merged["score_mean"] as? Double == mean)
    let arena = try json(
      Program.run(["arena", model, "counting", "--games", "40", "--seed", "5", "--threads", "1", "--json"]))
    let players = try #require(arena["players"] as? [[String: Any]])
    #expect((players[0]["score"] as? [String: Double])?["mean"] == mean)
    #expect(players.allSatisfy { $0["perfect"] is Double && $0["reached_2048"] == nil })
    let play = try Program.run(["play", model, "--seed", "3"], input: "?q")
    // The hint may stand in several lines.
    let hint = play.output.replacing("\n", with: " ")
    #expect(play.status == 0 && hint.contains("hint: ") && hint.contains(", by run, search("), "\(play)")
    let export = folder + "/set.safetensors"
    #expect(try Program.run(["export", model, "-o", export, "--format", "compact"]).status == 0)
    #expect(try Program.run(["autoplay", export]).output.hasSuffix(" left\n"))
  }

  @Test func autoplayTakesWhatTheRulesAllow() throws {
    let path = folder + "/game.txt"
    let result = try Program.run(["autoplay", "--agent", "counting", "--seed", "3", "--record", path])
    #expect(result.status == 0, "\(result)")
    let lines = result.output.split(separator: "\n")
    var (score, table) = (0, CardSet())
    for line in lines.dropLast() {
      let facts = Dictionary(
        uniqueKeysWithValues: line.split(separator: " ").map { word in
          (String(word.prefix { $0 != "=" }), String(word.drop { $0 != "=" }.dropFirst()))
        })
      let cards = try Card.list(facts["take"] ?? facts["deal"] ?? "")
      #expect(cards.count == 3)
      if facts["take"] != nil {
        score += 1
        // The cards of a Set, as vectors over the field of three elements, add up to zero.
        for feature in CardFeature.allCases {
          #expect(cards.reduce(0) { $0 + $1.value(of: feature) } % 3 == 0)
        }
        if !table.isEmpty { #expect(cards.allSatisfy(table.contains)) }
      }
      table = CardSet(try Card.list(facts["table"] ?? ""))
      #expect(facts["score"] == "\(score)")
      #expect((Int(facts["deck"] ?? "") ?? 0) + table.count + 3 * score == 81)
    }
    #expect(lines.last == "game over: \(score) Sets, \(81 - 3 * score) cards left")
    let games = try SetRecord(text: String(contentsOfFile: path, encoding: .utf8)).replay()
    #expect(games.last?.score == score && games.last?.isOver == true)
    let review = try Program.run(["review", path])
    #expect(
      review.status == 1 && review.errors == "Error: \(path): is a record of Set: give a record of a game of 2048\n")
    // A record may replace a record, but no other file.
    #expect(try Program.run(["autoplay", "--agent", "counting", "--record", path]).status == 0)
  }

  @Test func aPersonPlaysByKeys() throws {
    let path = folder + "/mine.txt"
    // Seed 3 deals: a 1gtv b 1ptd c 3pov d 2psv e 3poq ...; b, d and e are a Set, a, b and c are not.
    let result = try Program.run(
      ["play", "--game", "set", "--seed", "3", "--record", path], input: "abc+bdeu r?q")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("no Set: two cards have one symbol and one has three,\n"))
    #expect(result.output.contains("\n  two are purple and one is green, two are striped and one is open,\n"))
    #expect(result.output.contains("on the table: three more are dealt when there is none"))
    #expect(result.output.contains("a Set: "))
    #expect(result.output.contains("\n1 Set, 78 cards left\nsaved \(path)\n"))
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let record = try SetRecord(text: String(contentsOfFile: path, encoding: .utf8))
    #expect(record.header.agent == "person, 1 undone" && record.steps.count == 1)
  }

  @Test func modelsAndAgentsOfTheOtherGameAreRefused() throws {
    let (set, board) = (try trainedModel(), folder + "/board.safetensors")
    try RandomModel.save(to: board, seed: 1)
    func error(_ arguments: [String], status: Int32 = 1) throws -> String {
      let result = try Program.run(arguments)
      #expect(result.status == status, "\(arguments) \(result)")
      return result.errors
    }
    for arguments in [["evaluate", set], ["autoplay", set], ["play", set]] {
      #expect(try error(arguments + ["--game", "2048"]).contains("a model of Set, and this is about 2048"))
    }
    for command in ["review", "analyze", "advise"] {
      let rest = command == "analyze" ? ["1200000000000000"] : command == "review" ? ["none.txt"] : []
      let text = try Program.run([command, set] + rest).errors
      #expect(!text.isEmpty && text.split(separator: "\n").count == 1, "\(command): \(text)")
    }
    #expect(
      try error(["evaluate", board, "--game", "set"])
        == "Error: \(board): a model of 2048, and this is about Set: name a model of Set\n")
    #expect(try error(["arena", set, board]).contains("a model of 2048, and this is about Set"))
    for (game, model, text) in [("set", board, "a model of 2048, and this"), ("2048", set, "a model of Set, and this")]
    {
      let settings = ["--set", "game=\(game)", "--set", "network.initial_model=\(model)"]
      #expect(try error(["train", "--games", "5", "--output", folder + "/other"] + settings).contains(text))
      #expect(!FileManager.default.fileExists(atPath: folder + "/other"))
    }
    #expect(
      try error(["evaluate", set, "--agent", "expectimax(plies: 2)"], status: 64).hasPrefix(
        "Error: --agent: for Set: no agent is called 'expectimax': there are random, most-left"))
    #expect(try error(["evaluate", set, "--plies", "2"], status: 64).contains("--plies: for Set: "))
    #expect(try error(["evaluate", set, "--start-tiles", "3"], status: 64).contains("--start-tiles is about 2048"))
    #expect(try error(["evaluate", "--game", "chess"], status: 64).contains("--game is 'chess': give 2048 or set"))
    #expect(try error(["autoplay", set, "--until", "2048"], status: 64).contains("Set has no tiles"))
    #expect(try error(["analyze", "1200000000000000", "--agent", "counting"], status: 64).contains("'counting'"))
  }
}
