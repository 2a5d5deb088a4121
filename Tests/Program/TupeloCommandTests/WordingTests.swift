import Foundation
import TestSupport
import Testing

/// Wording of the program: errors that name what was typed, tables that fit a terminal, singular and plural.
@Suite(.serialized) final class WordingTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("wording")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private func train(_ name: String, _ options: String...) throws -> Program.Result {
    let quiet = ["--set", "network.patterns=0123", "--set", "evaluation.games=0", "--games", "20"]
    let result = try Program.run(["train"] + quiet + options + ["--output", folder + "/" + name])
    #expect(result.status == 0, "\(result)")
    return result
  }

  @Test(
    .slow,
    arguments: [
      (["train", "--games", "abc"], 64, "--games: 'abc' is not a number: give a whole number from 1 to 10^12"),
      (["train", "--set", "training.games=x"], 64, "--set training.games: 'x' is not a number: give a whole number"),
      (["sweep", "--vary", "learner.alpha=x"], 64, "--vary learner.alpha: 'x' is not a number: give a number above 0"),
      (["train", "--seed", "-1"], 64, "--seed: -1 is not allowed: give a whole number from 0 to 18446744073709551615"),
      (["train", "--set", "seed"], 64, "--set seed: no value: write key=value"),
      (["train", "--set", "learner.lambda=1"], 64, "--set learner.lambda: lambda 1 has no default horizon"),
      (["train", "--config", "FOLDER/no.yaml"], 1, "FOLDER/no.yaml: no such file"),
      (["sweep", "--vary", "foo=1"], 64, "--vary foo: unknown key"),
      (["sweep", "--set", "learner.alpha=1", "--seeds", "x"], 64, "--seeds: 'x' names no seeds"),
      (["evaluate", "--seed", "1.5"], 64, "'1.5'"),
      (["evaluate", "--games", "-5"], 64, "--games is -5: give at least 1 (tupelo evaluate --help)"),
      (["autoplay", "--speed", "-1"], 64, "--speed is -1.0: give moves per second from 0"),
      (["evaluate", "--shard", "0/3"], 64, "--shard is 0/3: give i/n with i from 1 to n, such as 1/4"),
      (["analyze", "FOLDER"], 64, "the board is missing: tupelo analyze FOLDER 1200000000000000"),
      (["analyze", "12"], 64, "a board has 16 hex digits, this has 2; with a model, the board comes second"),
      (["evaluate", "--agent", "alphazero"], 64, "(tupelo help agents)"),
      (["evaluate", "--agent", "mcts"], 64, "did you mean montecarlo(rollouts: 200)?"),
      (["play", "--plies", "9"], 64, "--plies is 9: give 1 to 8"),
      (["help", "agent"], 64, "did you mean 'agents'?"),
      (["plot", "x", "--smooth", "1.5"], 64, "is invalid for '--smooth <smooth>': give a whole number"),
      (["arena", "greedy", "models/smal"], 1, "did you mean models/small?"),
      (["arena", "greedy", "quickstart"], 1, "quickstart: is a configuration, not a model"),
      (["arena", "greedy", "runs/none"], 1, "runs/none: there is no such model: check the path"),
      (["arena", "greedy@"], 64, "greedy@: the agent after @ is missing"),
      (["analyze", "2", "4", "8"], 64, "a board has 16 numbers, this has 3"),
      (["analyze"], 64, "'<board> ...'"),
      (["advise", "1200000000000000"], 1, "1200000000000000: is a board, not a model"),
      (["version"], 64, "write tupelo --version"), (["-v"], 64, "Unknown option '-v' (tupelo --help)"),
      (["evaluate", "quickstart"], 1, "quickstart: is a configuration, not a model: train it with tupelo"),
      (["inspect", "configs/quickstart"], 1, "train it with tupelo train quickstart, and"),
      (["evaluate", "--time", "20"], 64, "Unknown option '--time': write --agent 'expectimax(milliseconds: 20)'"),
      (["evaluate", "--model"], 64, "--model has no value: write tupelo evaluate MODEL"),
      (["review", "game.txt", "FOLDER"], 64, "the model comes first: tupelo review FOLDER game.txt"),
      (["review", "a", "b", "c"], 64, "\"c\" is one word too many: give MODEL RECORD"),
      (["review", "FOLDER/game.svg"], 1, "game.svg: is not a record of a game: save one with tupelo play"),
    ] as [([String], Int32, String)]) func errorsNameWhatWasTyped(
      _ arguments: [String], _ status: Int32, _ text: String
    ) throws
  {
    try Data("<svg/>".utf8).write(to: URL(fileURLWithPath: folder + "/game.svg"))
    let result = try Program.run(arguments.map { $0.replacingOccurrences(of: "FOLDER", with: folder) })
    #expect(result.status == status && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("Error: ") && result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(result.errors.contains(text.replacingOccurrences(of: "FOLDER", with: folder)), "\(result)")
  }

  /// Options of other programs are taken where they mean the same.
  @Test func optionsOfOtherProgramsAreTaken() throws {
    let model = folder + "/random.safetensors"
    try RandomModel.save(to: model, seed: 3)
    let record = folder + "/game.txt"
    #expect(try Program.run(["autoplay", "--agent", "random", "--until", "32", "--save", record]).status == 0)
    func result(_ words: String...) throws -> String {
      let result = try Program.run(words)
      #expect(result.status == 0 && result.errors.isEmpty && !result.output.isEmpty, "\(words): \(result)")
      return result.output.split(separator: "\n").filter { !$0.hasPrefix("speed ") }.joined(separator: "\n")
    }
    let evaluation = try result("evaluate", model, "--plies", "2", "--games", "2", "--seed", "4")
    #expect(try result("evaluate", "--model", model, "--depth", "2", "-n", "2", "-s", "4") == evaluation)
    #expect(try result("evaluate", "--depth=2", "--games", "2", "--weights=" + model, "--seed", "4") == evaluation)
    let board = "1200000000000000"
    #expect(try result("analyze", board, "--model", model) == result("analyze", model, board))
    let review = try result("review", model, record, "--plies", "1")
    #expect(try result("review", record, "--model", model, "--depth", "1") == review)
    // A word that no option of the command means is unknown.
    let unknown = try Program.run(["compare", "a", "b", "--depth", "2"])
    #expect(unknown.status == 64 && unknown.errors.hasPrefix("Error: Unknown option '--depth' ("), "\(unknown)")
  }

  /// The program alone shows every command in one line, on one page.
  @Test func theProgramAloneIsOnePage() throws {
    let result = try Program.run([])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(result.status == 0 && result.errors.isEmpty && lines.count <= 45, "\(result)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(result)")
    let names = try Program.run(["--help"]).output.split(separator: "\n").compactMap { line in
      line.hasPrefix("  ") && line.dropFirst(2).first?.isLetter == true ? line.split(separator: " ").first : nil
    }
    for name in names where name != "See" && name != "tupelo" {
      #expect(lines.count { $0.hasPrefix("  \(name) ") } == 1, "\(name)")
    }
    #expect(names.count > 20)
  }

  /// An error in a file or a variable does not count as a wrong command line: a scheduler may succeed at the next try.
  @Test func filesAndVariablesAreNotTheCommandLine() throws {
    let path = folder + "/bad.yaml"
    try Data("training: {games: x}".utf8).write(to: URL(fileURLWithPath: path))
    let file = try Program.run(["train", "--config", path])
    #expect(file.status == 1 && file.errors.hasPrefix("Error: \(path):1: training.games: 'x' is not"), "\(file)")
    let variable = try Program.shell("TUPELO_SEED=x \(Program.quoted(Program.path)) train")
    #expect(variable.status == 1 && variable.errors.hasPrefix("Error: environment TUPELO_SEED: 'x' is"), "\(variable)")
    // A wrong option is an error of the command line.
    #expect(try Program.run(["train", "--config", path, "--seed", "x"]).status == 64)
  }

  @Test func seedsAreWrittenAsInConfigurations() throws {
    func game(_ seed: String) throws -> String {
      try Program.run(["autoplay", "--agent", "random", "--seed", seed]).output
    }
    #expect(try game("1e3") == game("1000") && game("1_000") == game("1000") && game("1001") != game("1000"))
  }

  @Test func severalProblemsHaveAHeading() throws {
    let result = try Program.run(["train", "--games", "0", "--seed", "x", "--set", "learner.alpa=1"])
    let lines = result.errors.split(separator: "\n")
    #expect(result.status == 64 && lines.count == 4 && lines[0] == "Error: 3 problems:", "\(result)")
    let names = lines.dropFirst().map { String($0.prefix { $0 != ":" }) }
    #expect(names == ["--games", "--seed", "--set learner.alpa"])
  }

  @Test func helpAgentsIsOnePage() throws {
    let result = try Program.run(["help", "agents"])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(result.status == 0 && result.errors.isEmpty && lines.allSatisfy { $0.count <= 80 }, "\(result)")
    for fact in ["\nminimax(plies: 2)\n", "  cutoff: 0.001 ", "default: 4 from 3 plies on"] {
      #expect(result.output.contains(fact), "\(result)")
    }
    // Examples on the page can be typed.
    #expect(
      try Program.run(["evaluate", "--games", "1", "--agent", "expectimax(plies: 3, cutoff: 0.001)"]).status == 0)
    #expect(try Program.run(["evaluate", "--help"]).output.contains("tupelo help agents"))
  }

  /// The arena of the help's example, and an arena with a model that is named without an agent.
  @Test(.slow) func theArenaFitsATerminal() throws {
    _ = try train("run")
    let run = folder + "/run"
    let table = try Program.run(["arena", "greedy", "expectimax(plies: 2)", "--model", run, "--games", "40"])
    let lines = table.output.split(separator: "\n")
    #expect(table.status == 0 && lines.allSatisfy { $0.count <= 80 }, "\(table)")
    #expect(lines.last?.hasPrefix("can detect a difference of ") == true, "\(table)")
    #expect(lines[0] == "40 games each, seed 1000003; differences to the first player")
    let alone = try Program.run(["arena", run, run + "@greedy", "--games", "40", "--json"])
    let json = try JSONSerialization.jsonObject(with: Data(alone.output.utf8)) as? [String: Any]
    let means = (json?["players"] as? [[String: Any]])?.compactMap { ($0["score"] as? [String: Double])?["mean"] }
    #expect(means?.count == 2 && means?.first == means?.last, "\(alone)")
  }

  /// The heading of a training and the list of models call a network by the name of its layout.
  @Test(.slow) func networksAreCalledByTheirLayouts() throws {
    let result = try Program.run([
      "train", "--set", "network.layout=17x4", "--set", "evaluation.games=0", "--games", "2", "--output", folder + "/m",
    ])
    #expect(result.output.hasPrefix("run: 17x4, 18 MB, temporal-coherence, alpha 1.0, 1 thread, seed 1\n"), "\(result)")
    let model = folder + "/m.safetensors"
    #expect(
      try Program.run(["export", folder + "/m", "-o", model, "--format", "compact", "--drop", "1.5"]).status == 0)
    let list = try Program.run(["models", "list", folder])
    let lines = list.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix(model) && $0.hasSuffix("  17x4") }, "\(list)")
    #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix(folder) }, "\(list)")
    try Data("no model".utf8).write(to: URL(fileURLWithPath: model))
    let broken = try Program.run(["models", "list", folder])
    let line = broken.output.split(separator: "\n").first { $0.contains("CANNOT BE READ") } ?? ""
    #expect(broken.status != 0 && line.components(separatedBy: "m.safetensors").count == 2, "\(broken)")
  }

  @Test func aSmallBoardShowsTilesThatItCanReach() throws {
    let result = try Program.run([
      "train", "--set", "rules.rows=2", "--set", "rules.columns=3", "--set", "network.patterns=012,345", "--games",
      "2000", "--set", "training.report_games=1000", "--set", "evaluation.games=200", "--output", folder + "/small",
    ])
    #expect(result.status == 0 && result.output.contains(" 64=") && result.output.contains(" 128=0.0%"), "\(result)")
    #expect(!result.output.contains("2048") && result.output.contains("\nreached 64      "), "\(result)")
  }

  @Test func settingsWithoutEffectAreWarnedOf() throws {
    let result = try train("warned", "--set", "learner.lambda=0.5", "--set", "learner.steps=1")
    #expect(result.errors.hasPrefix("warning: --set learner.lambda: 0.5 has no effect"), "\(result)")
    #expect(!result.output.contains("lambda"), "\(result)")
    #expect(try train("plain").errors.isEmpty)
  }

  @Test func variablesAreKeptBesideTheArguments() throws {
    let run = folder + "/env"
    let words = ["train", "--games", "20", "--seed", "3", "--set", "evaluation.games=0", "--output", run]
    let result = try Program.shell(
      "TUPELO_NETWORK_PATTERNS=0123 TUPELO_SEED=9 \(Program.quoted(Program.path)) "
        + words.map(Program.quoted).joined(separator: " "))
    #expect(result.status == 0, "\(result)")
    let data = try Data(contentsOf: URL(fileURLWithPath: run + "/meta.json"))
    let meta = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let session = (meta?["sessions"] as? [[String: Any]])?.first
    #expect(session?["environment"] as? [String: String] == ["TUPELO_NETWORK_PATTERNS": "0123"])
  }
}
