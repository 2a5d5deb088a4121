import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloReports
import TupeloRuns
import TupeloTraining

/// Every key counts: in some run, another value of it changes the weights, or else the files, records or scores of the
/// run. Where a key changes nothing, it is refused or warned of.
///
/// The keys are those of the program's table. A key that is new there needs a row in `others` or in `effects`.
@Suite struct EveryKeyTests {
  private static let board = """
    rules: {rows: 2, columns: 3}
    network.patterns: "01 12 014"
    training: {games: 60, solo_games: 0}
    averaging.every_games: 7

    """

  /// Runs of all kinds, small enough to try every key in each.
  private static let runs: [(name: String, yaml: String)] = [
    ("tables", board), ("without an average", board.replacing("every_games: 7", with: "every_games: 0")),
    ("constant step", board + "learner.step_size: constant\n"), ("warm-up", board + "learner.warm_up_games: 30\n"),
    ("decay", board + "learner: {decay: 0.1, decay_every_games: 10}\n"), ("lambda", board + "learner.lambda: 0.5\n"),
    ("backward", board + "learner: {lambda: 0.5, steps: episode}\n"), ("batch", board + "learner.batch: 4\n"),
    ("stages", board + "network.stages: largest=8,32\n"),
    ("carousel", board + "network.stages: largest=8,32\nepisodes: {start: carousel, batch: 5}\n"),
    ("restart", board + "episodes.start: restart\n"), ("pool", board + "episodes: {start: pool, tile: 8}\n"),
    ("replicas", board.replacing("solo_games: 0", with: "solo_games: 0, replicas: 2, merge_moves: 50")),
    ("dense", board + "network.dense.hidden: [4]\nlearner.batch: 8\n"),
    (
      "Set",
      """
      game: set
      set: {features: 3, table: 9}
      learner.alpha: 0.1
      training: {games: 60, solo_games: 0}
      averaging.every_games: 7

      """
    ),
  ]

  /// Another value of each key that affects the weights. The first one that differs from the run's own is tried.
  private static let others: [String: [String]] = [
    "seed": ["2"], "set.features": ["2"], "set.table": ["3"], "rules.rows": ["3"],
    "rules.columns": ["4"], "rules.four_probability": ["0.5"], "rules.start_tiles": ["1"],
    "network.patterns": ["01 12 015"], "network.symmetries": ["separate"], "network.stages": ["largest=16"],
    "network.dense.hidden": ["[3]"], "network.dense.embedding": ["3"], "network.dense.linear": ["no"],
    "network.dense.sums": ["all"], "learner.step_size": ["constant", "temporal-coherence"], "learner.alpha": ["0.02"],
    "learner.lambda": ["0.7"], "learner.steps": ["3"], "learner.warm_up_games": ["20"],
    "learner.warm_up_alpha": ["0.5"], "learner.alpha_schedule": ["[20=0.01]"], "learner.exploration": ["0.5"],
    "learner.initial_value": ["500"], "learner.batch": ["3"], "learner.weight_decay": ["0.5"],
    "learner.row_patience": ["2"], "learner.clip": ["0.01"], "learner.decay": ["0.3"],
    "learner.decay_every_games": ["5"], "stages.promotion": ["none"],
    "stages.after_games": ["20"], "stages.frozen": ["1"], "episodes.start": ["restart", "fresh"],
    "episodes.restart_moves": ["3"], "episodes.batch": ["3"], "episodes.pool": ["2"], "episodes.tile": ["16"],
    "episodes.share": ["0.1"], "averaging.every_games": ["3"], "averaging.window": ["2"], "training.games": ["40"],
    "training.replicas": ["3"], "training.merge_moves": ["20"], "training.games_at_once": ["3"],
  ]

  /// Keys that are accepted in silence where they change nothing, each with its reason.
  private static let silent: Set = [
    // Processes under mpirun merge their weights, too, and a configuration does not know their number.
    "training.merge_moves"
  ]

  /// Keys with a test of their own, because files do not show their effect, or only after a minute.
  private static let alone: Set = ["game", "evaluation.threads", "output.checkpoint_minutes"]

  private enum Aspect { case folders, files, weights, records, scores }

  /// Keys whose effect needs a whole run in its folder: the settings with which they count, another value, and what it
  /// changes.
  private static let effects: [String: (settings: [String], value: String, changes: Aspect)] = [
    "name": ([], "other", .folders), "output.directory": ([], "elsewhere", .folders),
    "network.layout": (
      ["rules.rows=4", "rules.columns=4", "network.layout=17x4", "training.games=5"], "4x5", .weights
    ),
    "network.initial_model": ([], "model.safetensors", .weights),
    "learner.zeros": (["network.initial_model=model.safetensors"], "stay", .weights),
    "training.threads": (["training.games=5000"], "2", .weights),
    "training.solo_games": (["training.replicas=2", "training.merge_moves=50"], "30", .weights),
    "training.report_games": ([], "7", .records), "training.minutes": ([], "0.0000001", .weights),
    "evaluation.games": ([], "5", .scores), "evaluation.every_games": ([], "20", .records),
    "evaluation.interim_games": (["evaluation.every_games=20"], "3", .records),
    "evaluation.target": (["evaluation.every_games=20"], "1", .weights),
    "evaluation.patience": (["evaluation.every_games=2", "evaluation.interim_games=5"], "1", .weights),
    "evaluation.seed": ([], "7", .scores), "evaluation.plies": ([], "2", .scores),
    "output.checkpoint_games": (["output.keep=9"], "20", .files),
    "output.keep": (["output.checkpoint_games=10"], "3", .files),
    "output.on_checkpoint": ([], #"touch "$TUPELO_RUN/called""#, .files),
  ]

  private static let keys = ConfigurationKeys.program.all.map(\.path)

  @Test func everyKeyIsTried() {
    let tried = [Set(Self.others.keys), Set(Self.effects.keys), Self.alone]
    #expect(Set(Self.keys) == tried.reduce(Set()) { $0.union($1) })
    #expect(Self.keys.count == tried.reduce(0) { $0 + $1.count }, "a key is tried in two ways")
  }

  // MARK: Weights

  private static func configuration(_ yaml: String, _ overrides: [String] = []) throws -> (RunConfiguration, [String]) {
    var warnings: [String] = []
    let configuration = try RunConfiguration.load(
      yaml: yaml, sourceName: "x.yaml", environment: [:], overrides: overrides, of: .program
    ) { warnings.append($0.key ?? "") }
    return (configuration, warnings)
  }

  private static func weights(of configuration: RunConfiguration) throws -> String {
    let trainer = try Trainer(configuration)
    try trainer.train()
    return try trainer.model().identity
  }

  /// The runs as configurations, with the weights of each.
  private static let learned: Result<[(configuration: RunConfiguration, weights: String)], any Error> = Result {
    try runs.map { run in
      let (configuration, warnings) = try Self.configuration(run.yaml)
      #expect(warnings.isEmpty, "\(run.name): \(warnings)")
      return (configuration, try weights(of: configuration))
    }
  }

  /// The key changes the weights of one run at least. In every other run, too, unless it is refused or warned of there.
  @Test(.slow, arguments: keys.filter { others.keys.contains($0) }) func noKeyIsAcceptedAndIgnored(
    _ key: String
  ) throws {
    let values = try #require(Self.others[key])
    var effects = 0
    for (run, learned) in zip(Self.runs, try Self.learned.get()) {
      var isTried = false
      for value in values where !isTried {
        do {
          let (changed, warnings) = try Self.configuration(run.yaml, ["\(key)=\(value)"])
          guard changed != learned.configuration else { continue }
          isTried = true
          guard !warnings.contains(key) else { continue }
          let isChanged = try Self.weights(of: changed) != learned.weights
          #expect(isChanged || Self.silent.contains(key), "\(run.name): \(key)=\(value) changes nothing")
          if isChanged { effects += 1 }
        } catch is ConfigurationError {
          isTried = true
        } catch TrainingError.diverged {
          // A value that large has its effect.
          effects += 1
        }
      }
      #expect(isTried, "\(run.name): \(values) are the run's own \(key)")
    }
    #expect(effects > 0, "\(key) changes the weights of no run")
  }

  // MARK: Files

  /// Trains with the program in an empty working folder, and tells what the key is about.
  private static func outcome(_ aspect: Aspect, _ settings: [String]) throws -> String {
    let folder = try TemporaryFolder()
    let model = TrainedModel(try NTupleNetwork(configuration(board).0.network))
    if let network = model.base as? NTupleNetwork { network[pattern: 0, standardIndex: 5] = 100 }
    try model.save(to: folder.file("model.safetensors"))
    try Data((board + "evaluation: {games: 10, threads: 1}\n").utf8).write(
      to: URL(fileURLWithPath: folder.file("base.yaml")))
    let errors = folder.path + "-errors.txt"
    defer { TemporaryFile.remove(errors) }
    let process = try Program.start(
      ["train", "base.yaml"] + settings.flatMap { ["--set", $0] }, errors: errors, folder: folder.path)
    process.waitUntilExit()
    let complaints = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(process.terminationStatus == 0, "\(complaints)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let checkpoint = try #require(files.first { $0.hasSuffix("/checkpoint.safetensors") })
    let run = folder.file(checkpoint.parentFolder)
    switch aspect {
    case .folders: return checkpoint.replacing(/__[0-9_-]+\//, with: "/")
    case .files:
      return try FileManager.default.contentsOfDirectory(atPath: run).filter { !$0.contains("tfevents") }.sorted()
        .joined(separator: " ")
    case .weights: return try TrainedModel(path: run, of: .program).identity
    case .records: return try timeless("[" + lines(run + "/metrics.jsonl").joined(separator: ",") + "]")
    case .scores: return try timeless(lines(run + "/evaluation.json").joined())
    }
  }

  private static func lines(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// JSON without times and speeds.
  private static func timeless(_ json: String) throws -> String {
    func plain(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(plain) }
      guard let object = value as? [String: Any] else { return value }
      return object.filter { !$0.key.contains("second") && !$0.key.contains("time") }.mapValues(plain)
    }
    let value = plain(try JSONSerialization.jsonObject(with: Data(json.utf8)))
    return String(decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
  }

  @Test(.slow, arguments: keys.filter { effects.keys.contains($0) }) func aKeyChangesWhatItSays(_ key: String) throws {
    let (settings, value, aspect) = try #require(Self.effects[key])
    let before = try Self.outcome(aspect, settings)
    #expect(try Self.outcome(aspect, settings) == before, "\(key): what differs is not the work of the key")
    #expect(try Self.outcome(aspect, settings + ["\(key)=\(value)"]) != before, "\(key)=\(value) changes nothing")
  }

  /// A game refuses the keys of another game.
  @Test func theGameDecidesWhichKeysCount() throws {
    for (run, game, key) in [("tables", "set", "rules.rows"), ("Set", "2048", "set.features")] {
      let yaml = try #require(Self.runs.first { $0.name == run }).yaml
      #expect { try Self.configuration(yaml, ["game=\(game)"]) } throws: { "\($0)".contains(key) }
    }
  }

  /// A run in a folder of its own.
  private static func run(_ settings: [String]) throws -> TrainingRun {
    let (configuration, _) = try configuration(board, settings)
    return try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
  }

  /// The first of two games does not end before the second one, so two threads must play them.
  @Test(.enabled(if: Processors.count > 1, "one processor: nothing runs at once")) func threadsEvaluateAtOnce() throws {
    let folder = try TemporaryFolder()
    let run = try Self.run(
      ["output.directory=\(folder.file("run"))", "evaluation.games=2", "evaluation.threads=2", "training.games=1"])
    try run.train(shouldStop: { false })
    let (games, other) = (Counter(), DispatchSemaphore(value: 0))
    let report = try run.evaluate(onGame: { _ in
      if games.next() > 0 {
        other.signal()
      } else {
        #expect(other.wait(timeout: .now() + 60) == .success, "one thread plays both games")
      }
    })
    #expect(report?.games == 2)
  }

  /// A run ends at its first checkpoint by time, after a minute.
  @Test(.slow) func aCheckpointIsWrittenAfterAMinute() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("run")
    let run = try Self.run([
      "output.directory=\(path)", "training.games=1000000000", "training.minutes=3", "output.checkpoint_games=0",
      "output.checkpoint_minutes=1", "training.report_games=1000000000",
    ])
    let outcome = try run.train(
      shouldStop: { FileManager.default.fileExists(atPath: path + "/checkpoint.safetensors") })
    #expect(outcome == .interrupted)
  }

  /// Keys of the evaluation and of features that are off have no effect, and are told.
  @Test(arguments: [
    ("averaging.every_games: 0", "averaging.window", "2"), ("learner.decay: 0", "learner.decay_every_games", "5"),
    ("learner.warm_up_games: 0", "learner.warm_up_alpha", "0.5"),
    ("evaluation.every_games: 0", "evaluation.interim_games", "5"), ("evaluation.games: 0", "evaluation.seed", "7"),
    ("evaluation.games: 0", "evaluation.plies", "2"),
  ])
  func keysOfAFeatureThatIsOffAreTold(yaml: String, key: String, value: String) throws {
    #expect(try Self.configuration(yaml, ["\(key)=\(value)"]).1 == [key])
    #expect(try Self.configuration(yaml, []).1 == [])
  }
}
