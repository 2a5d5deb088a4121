internal import Safetensors
internal import TupeloCluster
public import TupeloConfiguration
internal import TupeloEngine
public import TupeloLearning
internal import TupeloNetwork
public import TupeloTables

extension Trainer {
  /// Makes a run of a game that the caller defines, with an encoder and a step-size rule of the caller's choice. The
  /// configuration's `returns` and `batch` choose the learner.
  ///
  /// The compiler specialises the trainer for these types at the call. A release build plays as fast as 2048, if game,
  /// encoder and rule are in the caller's module or inlinable.
  ///
  /// - Parameters:
  ///   - configuration: the length and the settings of training. Settings that belong only to 2048 or Set (rules,
  ///     network, stages, starts), the step-size rule and replicas must have their defaults
  ///   - game: the game
  ///   - encoder: turns the game's states into features; its layout has the number of weights
  ///   - rule: the rule with its first step size, which `schedule` may change
  ///   - path: a checkpoint of the same game, features and rule, from which the run continues; `nil` for a new run
  ///   - allowsChanges: whether settings that affect the learned values may differ from those of the checkpoint
  /// - Throws: `TrainingError`, `ConfigurationError`; `WeightStorageError.outOfMemory` before anything is allocated;
  ///   for a checkpoint the errors of `Checkpoint`.
  @inlinable
  public convenience init<Game: SelfPlayGame, Encoder: FeatureEncoder, Rule: StepSizeRule>(
    _ configuration: RunConfiguration, game: Game, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false
  ) throws where Encoder.State == Game.Choices.State {
    let kind = try OwnGame(game, encoder)
    try self.init(configuration, kind, kind.tables, resuming: path, allowingChanges: allowsChanges) { run in
      try TableWorkers(kind, rule, run)
    }
  }

  /// Makes a run of a game and a learner that the caller defines.
  ///
  /// - Parameters:
  ///   - configuration: the learner decides whether it uses `returns` and `batch`. With `batch` above 1 a thread plays
  ///     one game at a time. A resumed run needs equal values of both
  ///   - learner: makes the learner of one thread, over weights that all threads share. A schedule changes its step
  ///     size by `setStepSize`
  @inlinable
  public convenience init<Game: SelfPlayGame, Encoder: FeatureEncoder, Rule: StepSizeRule, L: Learner & ~Copyable>(
    _ configuration: RunConfiguration, game: Game, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false, learner: @escaping (TemporalDifferenceLearner<Rule>) -> L
  ) throws where Encoder.State == Game.Choices.State, L.Encoder == Encoder {
    let kind = try OwnGame(game, encoder)
    try self.init(configuration, kind, kind.tables, resuming: path, allowingChanges: allowsChanges) { run in
      try TableWorkers(kind, rule, run) { table, _ in learner(table) }
    }
  }

  @usableFromInline
  convenience init<Rule: StepSizeRule>(
    _ configuration: RunConfiguration, _ kind: any TableKind, _ tables: OwnTables, resuming path: String?,
    allowingChanges allowsChanges: Bool, makeWorkers: (NewRun) throws -> TableWorkers<Rule>
  ) throws {
    let (name, layout) = (tables.name, tables.layout)
    if let key = configuration.settingOfAnotherGame ?? configuration.keyOfReplicas {
      throw TrainingError.notOfGame(game: name, key: key)
    }
    var configuration = configuration
    let (returns, sums) = (configuration.returns, Rule.Cell.sumCount > 0)
    configuration.training.gamesAtOnce =
      configuration.training.gamesAtOnce
      ?? (configuration.batch > 1
        ? 1
        : RunConfiguration.Training.suitableGamesAtOnce(
          features: layout.featureCount, weights: layout.weightCount, asksForSums: sums && returns.steps != nil))
    try configuration.validate()
    let average = configuration.averaging.everyGames > 0 ? PlainCell.byteCount : 0
    try Self.check(tables.weightCount * (Rule.Cell.byteCount + average), available: MemoryLimit.bytes)
    let checkpoint = try path.map { try Checkpoint(stateIn: tables.file(at: $0)) }
    let keys = ConfigurationKeys.standard.rows.filter(\.isOfAnyGame)
    try checkpoint?.check(configuration, keys, allowingChanges: allowsChanges)
    let workers = configuration.workers
    let fresh = (0..<workers).map { RandomStream(seed: configuration.seed, stream: UInt64($0)) }
    let run = NewRun(
      configuration: configuration, streams: checkpoint?.streams(for: configuration, workers: workers) ?? fresh,
      initialValue: checkpoint == nil ? configuration.initialValue : 0, communicator: SoloCommunicator())
    self.init(
      configuration, try TableTraining(kind, run, makeWorkers(run)), ownGame: name,
      games: checkpoint?.games ?? 0, moves: checkpoint?.moves ?? 0, communicator: run.communicator)
    if let checkpoint { try checkpoint.restore(self, keys) } else { try state.begin(after: 0) }
  }
}

extension RunConfiguration {
  /// The key that requires replicas, if a key does.
  fileprivate var keyOfReplicas: String? { training.replicas > 1 ? "training.replicas" : nil }
}
