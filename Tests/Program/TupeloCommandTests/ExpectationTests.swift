import Foundation
import TestSupport
import Testing

/// Behaviour that users know from other tools: names, exit codes, one line per error, and results that say whether they
/// are complete.
@Suite(.serialized) final class ExpectationTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("expected")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  @Test(
    arguments: [
      (["trian"], 64, "\"trian\" is not a command, did you mean 'train'? tupelo --help lists them"),
      (["help", "nope"], 64, "\"nope\" is not a command: tupelo --help lists them"),
      (["train", "--config", "x.yaml", "--lambda", "0.5"], 64, "Unknown option '--lambda': set it with --set"),
      (["train", "--lambda", "0.5"], 64, "Unknown option '--lambda': set it with --set learner.lambda=VALUE"),
      (["train", "--lr", "0.1", "--games", "0"], 64, "--games"),
      (["train", "--gamma=0.99"], 64, "Unknown option '--gamma': 2048 has no discount, which is 1"),
      (["train", "--epsilon", "0"], 64, "set it with --set learner.exploration=VALUE"),
      (["sweep", "--learning-rate", "1"], 64, "set it with --set learner.alpha=VALUE"),
      (["train", "--help-config", "gamma"], 64, "contains \"gamma\": 2048 has no discount, which is 1"),
      (["train", "FOLDER/run"], 64, "is a run, not a configuration: tupelo train --resume FOLDER/run continues"),
      (["train", "FOLDER/run/checkpoint.safetensors"], 64, "is a run, not a configuration: tupelo train --resume"),
      (
        ["train", "--config", "models/small"], 64, "\"models/small\" is a model, not a configuration: to start from its"
      ),
      (["sweep", "models/small"], 64, "--set network.initial_model=models/small"),
      (["train", "FOLDER/mine/model.safetensors"], 64, "is a model, not a configuration"),
      (["sweep", "--config", "FOLDER"], 64, "is a folder, not a configuration: name a file in it"),
      (["train", "--resume", "models/small"], 1, "a model to play with, without training state"),
      (["train", "--resume", "FOLDER/nothing"], 1, "is not a run: name the folder of a run"),
      (["train", "--resume", "FOLDER/run"], 1, "run: nothing was saved yet, because the run ended before its first"),
      (["train", "--resume", "FOLDER/run/checkpoint.safetensors"], 1, "start it again with: tupelo train x --seed 2"),
      (["train", "configs/x.yaml"], 1, "configs/x.yaml: no such file"),
      (["train", "quikstart"], 64, "\"quikstart\" is not a file or a configuration, did you mean quickstart?"),
      (["train", "quickstart", "--config", "x.yaml"], 64, "\"quickstart\" and --config both name a configuration"),
      (["train", "quickstart", "again"], 64, "'again' (tupelo train --help)"),
      (["train", "--help-config", "lerner"], 64, "no configuration key contains \"lerner\", did you mean learner?"),
      (["train", "--game", "set"], 64, "Unknown option '--game': set it with --set game=VALUE"),
      (["sweep", "--config", "x.yaml", "--seed", "5"], 64, "Unknown option '--seed'. Did you mean '--seeds'?"),
      (["sweep", "--config", "x.yaml", "--alpha=1"], 64, "set it with --set learner.alpha=VALUE"),
      (["arena", "greedy", "random", "--plies", "2"], 64, "'--plies'"),
      (["analyze", "-"], 64, "add --json"),
      (["analyze", "a", "b", "--json", "-"], 64, "stands between the model and -"),
      (["compare", "FOLDER", "FOLDER"], 1, "no metrics.jsonl there"),
      (["evaluate", "--gmaes", "3"], 64, "(tupelo evaluate --help)"),
      (["evaluate", "missing.safetensors"], 1, "missing.safetensors: cannot be opened"),
      (["review", "missing.txt"], 1, "missing.txt: cannot be opened"),
      (["analyze", "qs0", "100000000"], 1, "qs0"),
      (["arena", "greedy", "--model", "nope"], 1, "nope"),
      (["arena", "a@greedy", "--model", "nope"], 64, "every player names a model of its own"),
      (["evaluate", "FOLDER"], 1, "holds neither checkpoint.safetensors nor model.safetensors"),
      (["evaluate", "FOLDER/x.w"], 1, "make a model of it with: tupelo import"),
    ] as [([String], Int32, String)]) func errorsAreOneLineWithTheirExitCode(
      _ arguments: [String], _ status: Int32, _ fact: String
    ) throws
  {
    try Data([0, 1, 0, 0, 0]).write(to: URL(fileURLWithPath: folder + "/x.w"))
    let session =
      #"{"version": "1", "compiler": "", "system": "", "cores": 1, "arguments": ["train", "x", "--seed", "2"], "#
      + #""started": "", "games": 0}"#
    for (name, text) in [("run/meta.json", "{\"sessions\": [\(session)]}"), ("mine/model.safetensors", "")] {
      let path = URL(fileURLWithPath: folder + "/" + name)
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: path)
    }
    let result = try Program.run(arguments.map { $0.replacingOccurrences(of: "FOLDER", with: folder) })
    #expect(result.status == status && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("Error: ") && result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(result.errors.contains(fact.replacing("FOLDER", with: folder)), "\(result)")
    #expect(!result.errors.contains("NSCocoaError") && !result.errors.contains("could not be completed"))
  }

  /// Replicas have learned less than one thread after few games, and the run says so; with a limit on time it does not.
  @Test(
    arguments: [
      (["training.replicas=2"], true), (["training.replicas=2", "training.minutes=9"], false), ([], false),
      (["training.replicas=2", "rules.rows=3", "rules.columns=3"], false),
    ] as [([String], Bool)])
  func replicasThatLearnLessSaySo(_ settings: [String], _ isTold: Bool) throws {
    let all = settings + ["network.patterns=01", "evaluation.games=0", "output.directory=\(folder)/run"]
    let result = try Program.run(["train", "--games", "40"] + all.flatMap { ["--set", $0] })
    #expect(result.status == 0, "\(result)")
    let note = "note: after 40 games 2 replicas have learned less than one thread"
    #expect(result.output.contains(note) == isTold, "\(result)")
  }

  @Test func aModelFolderIsAModel() throws {
    let model = folder + "/small"
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    let train = ["train", "--set", "network.patterns=0123", "--set", "evaluation.games=0", "--games", "20"]
    #expect(try Program.run(train + ["--output", folder + "/my run"]).status == 0)
    #expect(try Program.run(["export", folder + "/my run", "-o", model + "/model.safetensors"]).status == 0)
    let result = try Program.run(["evaluate", model, "--games", "1k"])
    #expect(result.status == 0 && result.output.contains("games           1,000\n"), "\(result)")
    #expect(result.output.hasPrefix("small, expectimax(plies: 1), seed 1000003\n"))
  }

  /// The identity of a model depends on its weights, in whatever form they are stored, and not on its structure.
  @Test func theIdentityIsThatOfTheWeights() throws {
    func train(_ seed: String) throws -> String {
      let run = folder + "/run" + seed
      let train = ["train", "--set", "network.patterns=0123", "--set", "evaluation.games=0", "--games", "50"]
      #expect(try Program.run(train + ["--seed", seed, "--output", run]).status == 0)
      return run
    }
    func fact(_ name: String, of model: String) throws -> String? {
      let lines = try Program.run(["inspect", model]).output.split(separator: "\n")
      return lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(13).prefix(16)) }
    }
    let (one, two) = (try train("1"), try train("2"))
    let (file, rounded) = (folder + "/one.safetensors", folder + "/rounded.safetensors")
    #expect(try Program.run(["export", one, "-o", file]).status == 0)
    #expect(try Program.run(["export", one, "-o", rounded, "--format", "compact", "--step", "50"]).status == 0)
    let identity = try #require(try fact("model", of: one))
    #expect(identity.count == 16 && identity.allSatisfy(\.isHexDigit))
    #expect(try fact("model", of: file) == identity)
    for other in [two, rounded] { #expect(try fact("model", of: other) != identity) }
    #expect(try fact("structure", of: two) == fact("structure", of: one))
    let json = try Program.run(["evaluate", file, "--games", "2", "--json"])
    let fields = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(fields?["model"] as? String == identity)
    #expect(fields?["network_fingerprint"] as? String == (try fact("structure", of: one)))
    let record = folder + "/game.txt"
    #expect(try Program.run(["autoplay", file, "--plies", "1", "--record", record]).status == 0)
    #expect(try String(contentsOfFile: record, encoding: .utf8).contains("\"model\":\"\(identity)\""))
  }

  /// The list shows no score that belongs to weights that were replaced.
  @Test(.slow) func scoresOfOtherWeightsAreNotListed() throws {
    let train = ["train", "--set", "network.patterns=0123", "--set", "evaluation.games=0", "--games"]
    let model = folder + "/model"
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    for (games, isOwn) in [("20", true), ("40", false)] {
      let run = folder + "/run" + games
      #expect(try Program.run(train + [games, "--output", run]).status == 0)
      #expect(try Program.run(["export", run, "-o", model + "/model.safetensors"]).status == 0)
      if isOwn {
        let json = try Program.run(["evaluate", model + "/model.safetensors", "--games", "5", "--json"])
        try Data(json.output.utf8).write(to: URL(fileURLWithPath: model + "/evaluation.json"))
      }
      let list = try Program.run(["models", "list", folder + "/model"])
      #expect(list.output.contains("belongs to other weights") == !isOwn, "\(list)")
      #expect((list.status == 0) == isOwn)
    }
  }

  /// The tables of 17x4 are used on the board alone; its weight file does not say so.
  @Test(.slow) func an17x4NetworkComesBackAsItWas() throws {
    let train = ["train", "--set", "network.layout=17x4", "--set", "evaluation.games=0", "--games", "20"]
    let (run, weights, back) = (folder + "/17x4", folder + "/17x4.w", folder + "/back.safetensors")
    #expect(try Program.run(train + ["--output", run]).status == 0)
    #expect(try Program.run(["export", run, "-o", weights]).status == 0)
    let result = try Program.run(["import", weights, "-o", back])
    #expect(result.status == 0 && result.output.contains("4x4 separate 0123 "), "\(result)")
    let shared = try Program.run(["import", weights, "-o", back, "--no-separate"])
    #expect(shared.status == 0 && shared.output.contains("4x4 shared 0123 "), "\(shared)")
  }

  /// Commands that are printed can be run: a name with a space is quoted.
  @Test func hintsAreQuoted() throws {
    let train = ["train", "--set", "network.patterns=0123", "--games", "20", "--set", "evaluation.games=5"]
    let result = try Program.run(train + ["--output", folder + "/my run"])
    #expect(result.output.contains("\nwatch it play:  tupelo autoplay '\(folder)/my run'\n"), "\(result)")
  }

  /// A stopped evaluation is marked as such, in JSON and by its exit code.
  @Test func aStoppedEvaluationIsNoWholeOne() throws {
    let evaluation = ["evaluate", "--agent", "greedy(evaluator: heuristic)", "--games", "10M", "--json"]
    var end = (output: "", status: Int32(0))
    // A slow machine needs more work before the first game is finished.
    for ticks in [30, 300, 3000] where !end.output.contains("stopped after ") {
      let running = try RunningProgram(evaluation)
      try running.works(ticks: ticks)
      end = running.interrupt()
    }
    #expect(end.status == 130 && end.output.contains("stopped after "), "\(end)")
    let start = try #require(end.output.firstIndex(of: "{"))
    let stop = try #require(end.output.lastIndex(of: "}"))
    let json = try JSONSerialization.jsonObject(with: Data(end.output[start...stop].utf8)) as? [String: Any]
    #expect(json?["games_asked"] as? Int == 10_000_000 && (json?["games"] as? Int ?? 0) > 0)
  }
}
