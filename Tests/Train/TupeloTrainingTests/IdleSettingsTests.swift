import TestSupport
import Testing
import TupeloTraining

/// Every key changes what a run learns, or is refused or warned of where it does not.
@Suite struct IdleSettingsTests {
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
    "seed": ["2"], "game": ["set", "2048"], "set.features": ["2"], "set.table": ["3"], "rules.rows": ["3"],
    "rules.columns": ["2"], "rules.four_probability": ["0.5"], "rules.start_tiles": ["1"], "network.layout": ["4x5"],
    "network.patterns": ["01 12 015"], "network.symmetries": ["separate"], "network.stages": ["largest=16"],
    "network.dense.hidden": ["[3]"], "network.dense.embedding": ["3"], "network.dense.linear": ["no"],
    "network.dense.sums": ["all"], "learner.step_size": ["constant", "temporal-coherence"], "learner.alpha": ["0.02"],
    "learner.lambda": ["0.7"], "learner.steps": ["3"], "learner.warm_up_games": ["20"],
    "learner.warm_up_alpha": ["0.5"], "learner.alpha_schedule": ["[20=0.01]"], "learner.exploration": ["0.5"],
    "learner.initial_value": ["500"], "learner.batch": ["3"], "learner.weight_decay": ["0.5"],
    "learner.row_patience": ["2"], "learner.clip": ["0.01"], "learner.decay": ["0.3"],
    "learner.decay_every_games": ["5"], "learner.zeros": ["stay"], "stages.promotion": ["none"],
    "stages.after_games": ["20"], "stages.frozen": ["1"], "episodes.start": ["restart", "fresh"],
    "episodes.restart_moves": ["3"], "episodes.batch": ["3"], "episodes.pool": ["2"], "episodes.tile": ["16"],
    "episodes.share": ["0.1"], "averaging.every_games": ["3"], "averaging.window": ["2"], "training.games": ["40"],
    "training.replicas": ["3"], "training.merge_moves": ["20"], "training.games_at_once": ["3"],
  ]

  /// Keys whose effect is not in the weights of a run on one machine: reports, files, the evaluation, threads.
  private static let elsewhere: Set = [
    "name", "network.initial_model", "training.threads", "training.solo_games", "training.report_games",
    "training.minutes", "evaluation.games", "evaluation.every_games", "evaluation.interim_games", "evaluation.target",
    "evaluation.patience", "evaluation.seed", "evaluation.plies", "evaluation.threads", "output.directory",
    "output.checkpoint_games", "output.checkpoint_minutes", "output.keep", "output.on_checkpoint",
  ]

  /// Pairs that are accepted in silence, each with its reason.
  private static let silent: Set = [
    // Processes under mpirun merge their weights, too, and a configuration does not know their number.
    "training.merge_moves"
  ]

  private static func configuration(_ yaml: String, _ overrides: [String] = []) throws -> (RunConfiguration, [String]) {
    var warnings: [String] = []
    let configuration = try RunConfiguration.load(
      yaml: yaml, sourceName: "x.yaml", environment: [:], overrides: overrides, of: testGames
    ) { warnings.append($0.key ?? "") }
    return (configuration, warnings)
  }

  private static func weights(of configuration: RunConfiguration) throws -> String {
    let trainer = try Trainer(configuration)
    try trainer.train { _ in }
    return try trainer.model().identity
  }

  @Test func everyKeyIsTried() {
    let keys = Set(testKeys.rows.map(\.path))
    #expect(keys == Self.elsewhere.union(Self.others.keys))
  }

  @Test(.slow, arguments: runs.indices) func noKeyIsAcceptedAndIgnored(_ index: Int) throws {
    let run = Self.runs[index]
    let (own, warnings) = try Self.configuration(run.yaml)
    #expect(warnings.isEmpty, "\(run.name): \(warnings)")
    let before = try Self.weights(of: own)
    for (key, values) in Self.others.sorted(by: { $0.key < $1.key }) where !Self.silent.contains(key) {
      var isTried = false
      for value in values where !isTried {
        do {
          let (changed, warnings) = try Self.configuration(run.yaml, ["\(key)=\(value)"])
          guard changed != own else { continue }
          isTried = true
          guard !warnings.contains(key) else { continue }
          #expect(try Self.weights(of: changed) != before, "\(run.name): \(key)=\(value) changes nothing")
        } catch is ConfigurationError {
          isTried = true
        } catch TrainingError.diverged {
          // A value that large has its effect.
        }
      }
      #expect(isTried, "\(run.name): \(values) are the run's own \(key)")
    }
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
