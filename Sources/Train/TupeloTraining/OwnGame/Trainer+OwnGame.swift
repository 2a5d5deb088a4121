internal import Safetensors
internal import TupeloCluster
public import TupeloConfiguration
internal import TupeloEngine
public import TupeloLearning
internal import TupeloNetwork
public import TupeloTables

extension Trainer {
  /// A run of a game of the caller's own, with an encoder and a step-size rule of the caller's choice. The learner is
  /// the one that the configuration names: `returns` and `batch`.
  ///
  /// The trainer is compiled for these types where this is called: a release build plays as fast as it plays 2048, if
  /// game, encoder and rule are in the caller's module or inlinable.
  ///
  /// - Parameters:
  ///   - configuration: how long and how to train. What belongs to 2048 or Set alone (rules, network, stages, starts),
  ///     the step-size rule and replicas stay as they are by default
  ///   - game: what is played
  ///   - encoder: turns its states into features; its layout says how many weights there are
  ///   - rule: with the step size of the start, which `schedule` may change
  ///   - path: a checkpoint of the same game, features and rule, from which the run goes on; `nil` for a fresh run
  ///   - allowsChanges: whether settings that decide what is learned may differ from those of the checkpoint
  /// - Throws: `TrainingError`, `ConfigurationError`; `WeightStorageError.outOfMemory` before anything is allocated;
  ///   for a checkpoint the errors of `Checkpoint`.
  @inlinable
  public convenience init<Game: SelfPlayGame, Encoder: FeatureEncoder, Rule: StepSizeRule>(
    _ configuration: RunConfiguration, game: Game, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false
  ) throws where Encoder.State == Game.Choices.State {
    try self.init(
      configuration, ownGame: game.name, encoder.layout, rule, resuming: path, allowingChanges: allowsChanges
    ) { plan in
      plan.makeWorkers(game, encoder)
    }
  }

  /// A run of a game of the caller's own with a learner of the caller's own, too.
  ///
  /// - Parameters:
  ///   - configuration: the learner decides what becomes of `returns` and `batch`. With `batch` above 1 a thread plays
  ///     one game at a time. A run that resumes needs equal ones
  ///   - learner: makes the learner of one thread, over weights that all threads share. The step size of a schedule
  ///     reaches it by `setStepSize`
  @inlinable
  public convenience init<Game: SelfPlayGame, Encoder: FeatureEncoder, Rule: StepSizeRule, L: Learner & ~Copyable>(
    _ configuration: RunConfiguration, game: Game, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false, learner: @escaping (TemporalDifferenceLearner<Rule>) -> L
  ) throws where Encoder.State == Game.Choices.State, L.Encoder == Encoder {
    try self.init(
      configuration, ownGame: game.name, encoder.layout, rule, resuming: path, allowingChanges: allowsChanges
    ) { plan in
      plan.makeWorkers(game, learner)
    }
  }

  @usableFromInline
  convenience init<Rule: StepSizeRule>(
    _ configuration: RunConfiguration, ownGame name: String, _ layout: FeatureLayout, _ rule: Rule,
    resuming path: String?, allowingChanges allowsChanges: Bool,
    makeWorkers: @escaping (WorkerPlan<Rule>) -> Workers
  ) throws {
    let tables = try OwnTables(name, layout)
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
    let state = try TableTraining(
      rule, configuration, tables.kind(gamesAtOnce: configuration.gamesAtOnce, makeWorkers),
      streams: checkpoint?.streams(for: configuration, workers: workers) ?? fresh,
      initialValue: checkpoint == nil ? configuration.initialValue : 0)
    self.init(
      configuration, state, ownGame: name, games: checkpoint?.games ?? 0, moves: checkpoint?.moves ?? 0,
      communicator: SoloCommunicator())
    if let checkpoint { try checkpoint.restore(self, keys) } else { try state.begin(after: 0) }
  }
}

extension RunConfiguration {
  /// The key that asks for replicas, where one does.
  fileprivate var keyOfReplicas: String? { training.replicas > 1 ? "training.replicas" : nil }
}
