import Foundation
import TestSupport
import Testing
import Tupelo

/// Agents on the command line, without a model and with one.
@Suite(.serialized) final class AgentCommandTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("agents")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private func json(_ result: Program.Result) throws -> [String: Any] {
    #expect(result.status == 0, "\(result)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private func model(_ name: String, seed: UInt64) throws -> String {
    let path = folder + "/" + name
    try RandomModel.save(to: path, seed: seed)
    return path
  }

  /// Every command that makes a search with a table for which the system has no memory.
  @Test(
    .enabled(if: Program.limitsAddresses, "the system does not limit addresses: not tried"),
    arguments: [
      "evaluate MODEL --games 1 --agent AGENT", "arena greedy AGENT --model MODEL --games 2",
      "autoplay MODEL --seed 1 --speed 0 --agent AGENT", "analyze MODEL 1230000000000000 --agent AGENT",
      "evaluate --games 4 --threads 2 --agent AGENT",
    ])
  func aTableWithoutMemoryIsNamed(_ line: String) throws {
    let command = line.replacing("MODEL", with: try model("a.safetensors", seed: 1))
      .replacing("AGENT", with: "'expectimax(plies: 3, table: 32768)'")
    let result = try Program.shell("ulimit -v 12000000; \(Program.quoted(Program.path)) \(command)")
    let fact = "table: there is no memory for 32768 MiB of known values in each thread: give a smaller table"
    #expect(result.status == 1 && result.errors.contains(fact), "\(result)")
  }

  @Test(.slow) func pliesAreShortForExpectimax() throws {
    let model = try model("a.safetensors", seed: 1)
    func facts(_ options: [String]) throws -> [String] {
      let report = try json(Program.run(["evaluate", model, "--games", "4", "--json"] + options))
      return ["score_mean", "score_max", "moves_mean"].map { "\(report[$0] ?? "?")" }
    }
    #expect(try facts(["--plies", "2"]) == facts(["--agent", "expectimax(plies: 2)"]))
    #expect(try facts([]) == facts(["--agent", "greedy"]))
    #expect(try facts([]) != facts(["--agent", "random"]))
    #expect(try facts(["--agent", "greedy(evaluator: heuristic)"]) != facts([]))
  }

  @Test func theHeuristicPlaysWithoutAModel() throws {
    let text = try Program.run(["evaluate", "--games", "2"])
    #expect(text.status == 0)
    #expect(
      text.output.hasPrefix(
        "no model given: using the hand-written heuristic, expectimax(plies: 1), seed 1000003\ngames "))
    let quiet = try Program.run(["evaluate", "--games", "2", "--agent", "greedy(evaluator: heuristic)"])
    #expect(
      quiet.output.hasPrefix(
        "the hand-written heuristic, greedy(evaluator: heuristic), seed 1000003\ngames "))
    let autoplay = try Program.run(["autoplay", "--agent", "random", "--record", folder + "/random.txt"])
    #expect(autoplay.status == 0 && autoplay.output.hasPrefix("ply=1 move="))
    let record = try GameRecord(text: String(contentsOfFile: folder + "/random.txt", encoding: .utf8))
    #expect(record.header.agent == "random" && record.header.model == nil && record.steps.count > 20)
    let analysis = try json(
      Program.run(["analyze", "1200000000000000", "--agent", "montecarlo(rollouts: 20)", "--json"]))
    #expect(analysis["agent"] as? String == "montecarlo(rollouts: 20)")
    #expect((analysis["moves"] as? [[String: Any]])?.map { $0["legal"] as? Bool } == [false, true, true, false])
    let numbers = ["analyze"] + "2 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0".split(separator: " ").map(String.init)
    #expect(try Program.run(numbers + ["--plies", "3"]).status == 0)
  }

  /// Each player plays the games of its own evaluation, and scores are compared as independent numbers (Welch's t).
  @Test func arenaComparesEvaluations() throws {
    let (a, b) = (try model("a.safetensors", seed: 1), try model("b.safetensors", seed: 2))
    let players = ["greedy", "\(b)@greedy", "random", "expectimax(plies: 2)", "greedy(evaluator: heuristic)"]
    let options = ["--model", a, "--games", "12", "--seed", "5"]
    let report = try json(Program.run(["arena"] + players + options + ["--threads", "2", "--json"]))
    let standings = try #require(report["players"] as? [[String: Any]])
    #expect(standings.map { $0["player"] as? String } == players)
    let means = standings.map { ($0["score"] as? [String: Double])?["mean"] ?? .nan }
    let margins = standings.map { ($0["score"] as? [String: Double])?["margin_95"] ?? .nan }
    #expect(standings[0]["difference_to_first"] is NSNull)
    for (index, standing) in standings.enumerated().dropFirst() {
      let difference = try #require(standing["difference_to_first"] as? [String: Any])
      let (mean, margin) = (difference["mean"] as? Double ?? .nan, difference["margin_95"] as? Double ?? .nan)
      #expect(abs(mean - (means[index] - means[0])) < 1e-6)
      // The standard errors follow from the intervals of twelve games each: t is 2.200985 with 11 degrees of freedom,
      // and between 2.0739 and 2.200985 with Welch's 11 to 22.
      let error = (margins[0] * margins[0] + margins[index] * margins[index]).squareRoot() / 2.200985
      #expect((2.0738...2.2010).contains(margin / error), "\(margin) \(error)")
      #expect(abs((difference["smallest"] as? Double ?? .nan) - (margin + 0.841621 * error)) < 1e-3 * error)
      let verdict = mean > margin ? "higher" : mean < -margin ? "lower" : "underpowered"
      #expect(difference["verdict"] as? String == verdict)
    }
    // Each score equals the score of an evaluation of that player alone.
    let alone = try json(Program.run(["evaluate", b, "--games", "12", "--seed", "5", "--agent", "greedy", "--json"]))
    #expect(alone["score_mean"] as? Double == means[1])
    let again = try json(Program.run(["arena"] + players + options + ["--threads", "1", "--json"]))
    let others = (again["players"] as? [[String: Any]])?.map { ($0["score"] as? [String: Double])?["mean"] ?? .nan }
    #expect(others == means)
    let table = try Program.run(["arena"] + players + options)
    let lines = table.output.split(separator: "\n")
    #expect(lines[0] == "12 games each, seed 5; differences to the first player")
    #expect(lines[1].hasPrefix("player ") && lines[1].contains("  difference (95%)  ") && lines[1].hasSuffix("verdict"))
    // Long names, which leave no room for numbers, have lines of their own.
    #expect(lines.contains(Substring(players[1])))
    #expect(table.output.contains("\ncan detect differences of ") && table.output.hasSuffix(" (95%, 80% power)\n"))
    #expect(lines.allSatisfy { $0.count <= 80 || $0 == players[1] }, "\(table)")
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test func reviewFindsTheMistakes() throws {
    let record = folder + "/game.txt"
    #expect(
      try Program.run(["autoplay", "--agent", "expectimax(plies: 2)", "--until", "32", "--record", record]).status == 0)
    // A player who agrees with the judge loses nothing.
    let good = try json(Program.run(["review", record, "--plies", "2", "--json"]))
    let moves = try #require(good["moves"] as? Int)
    #expect(moves > 5 && good["best_moves"] as? Int == moves && good["total_loss"] as? Double == 0)
    #expect((good["worst"] as? [Any])?.isEmpty == true)
    #expect(try Program.run(["autoplay", "--agent", "random", "--record", record]).status == 0)
    let bad = try json(Program.run(["review", record, "--top", "3", "--json"]))
    #expect(bad["judge"] as? String == "expectimax(plies: 2)")
    let worst = try #require(bad["worst"] as? [[String: Any]])
    let losses = worst.compactMap { $0["loss"] as? Double }
    #expect(losses.count == 3 && losses == losses.sorted(by: >) && losses[2] > 0)
    // The loss of the worst move, computed a second time.
    let board = try Board(hex: try #require(worst[0]["board"] as? String))
    var judge = Expectimax(HeuristicEvaluator(), plies: 2)
    let analysis = judge.analyze(board)
    let played = try #require(analysis.candidates.first { "\($0.move)" == worst[0]["played"] as? String })
    #expect(-played.difference == losses[0] && "\(analysis.best?.move ?? .up)" == worst[0]["best"] as? String)
    let text = try Program.run(["review", record, "--top", "2", "--agent", "greedy"])
    #expect(
      text.output.contains("judge      greedy\n")
        && text.output.contains("   move        loss  played  best    board\n"))
  }

  @Test func shardsMergeToTheWhole() throws {
    let model = try model("a.safetensors", seed: 1)
    let options = ["evaluate", model, "--games", "23", "--seed", "9", "--agent", "greedy"]
    let whole = try json(Program.run(options + ["--json"]))
    let files = try (1...3).map { number in
      let result = try Program.run(options + ["--shard", "\(number)/3", "--threads", "\(number)"])
      #expect(result.status == 0, "\(result)")
      let file = folder + "/shard\(number).json"
      try Data(result.output.utf8).write(to: URL(fileURLWithPath: file))
      return file
    }
    let merged = try json(Program.run(["merge", files[2], files[0], files[1], "--json"]))
    for key in whole.keys where !["seconds", "moves_per_second"].contains(key) {
      #expect(merged[key] as? NSObject == whole[key] as? NSObject, "\(key)")
    }
    let other = folder + "/other.json"
    // As many shards as games.
    let foreign = try Program.run(["evaluate", "--games", "3", "--seed", "10", "--agent", "random", "--shard", "2/3"])
    try Data(foreign.output.utf8).write(to: URL(fileURLWithPath: other))
    // A network with other weights is another model.
    let weights = folder + "/weights.json"
    let changed = try Program.run(
      ["evaluate", self.model("b.safetensors", seed: 2)] + options.dropFirst(2) + ["--shard", "2/3"])
    try Data(changed.output.utf8).write(to: URL(fileURLWithPath: weights))
    for (files, fact) in [
      ([files[0], weights, files[2]], "of another evaluation"),
      ([files[0], files[2]], "shard 2 of 3 is missing"), ([files[0], files[0]], "shard 1 again"),
      ([files[0], other, files[2]], "of another evaluation"), ([model], "not a shard of an evaluation"),
      (["missing.json"], "missing.json: cannot be opened: No such file or directory"),
      ([folder], ": is a folder, a pipe or a device"),
    ] {
      let result = try Program.run(["merge"] + files)
      #expect(result.status != 0 && result.errors.split(separator: "\n")[0].contains(fact), "\(result)")
    }
  }

  @Test(
    arguments: [
      (["evaluate", "--agent", "greedy", "--plies", "2"], "--agent and --plies both say how to play"),
      (["evaluate", "--agent", "expectimx(plies: 2)"], "did you mean expectimax?"),
      (["evaluate", "--agent", "expectimax(plies: 0)"], "plies is '0': give a whole number from 1 to 8"),
      (["evaluate", "--agent", "greedy(evaluator: model)"], "needs a model: name one"),
      (["evaluate", "--shard", "3/2"], "--shard"),
      (["evaluate", "--shard", "2/3", "--games", "2"], "--games is 2: give at least 3"),
      (["analyze", "1200000000000000", "--agent", "random"], "random has no values for moves"),
      (["analyze", "12"], "a board has 16 hex digits, this has 2"),
      (["arena", "greedy", "gredy"], "did you mean greedy?"),
      (["arena", "@greedy"], "the model before @ is missing"),
      (["arena", "missing.safetensors@greedy", "--games", "1"], "missing.safetensors"),
      (["review", "missing.txt"], "missing.txt: cannot be opened: No such file or directory"),
      (["review", "RECORD"], "bad.txt: is not a record of a game: save one with tupelo play --record FILE"),
    ] as [([String], String)]) func refusesBadInput(_ arguments: [String], _ fact: String) throws
  {
    let record = folder + "/bad.txt"
    try Data("no record\n".utf8).write(to: URL(fileURLWithPath: record))
    let result = try Program.run(arguments.map { $0.replacingOccurrences(of: "RECORD", with: record) })
    #expect(result.status != 0)
    #expect(result.errors.split(separator: "\n").first?.contains(fact) == true, "\(result)")
  }
}
