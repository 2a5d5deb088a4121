internal import Safetensors
internal import TupeloCluster
public import TupeloConfiguration
internal import TupeloEngine
public import TupeloLearning
internal import TupeloNetwork
public import TupeloSelfPlay
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
  ///     network, stages, starts), `learner.step_size` and replicas must have their defaults
  ///   - game: the game
  ///   - encoder: turns the game's states into features; its layout has the number of weights
  ///   - rule: the rule. Its step size is `learner.alpha` if the configuration chooses one; otherwise that of the rule
  ///   - path: a checkpoint of the same game, features and rule, from which the run continues; `nil` for a new run
  ///   - allowsChanges: whether settings that affect the learned values may differ from those of the checkpoint
  /// - Throws: `TrainingError`, `ConfigurationError`; `WeightStorageError.outOfMemory` before anything is allocated;
  ///   for a checkpoint the errors of `Checkpoint`.
  @inlinable
  public convenience init<Game: SelfPlayGame, Encoder: FeatureEncoder, Rule: StepSizeRule>(
    _ configuration: RunConfiguration, game: Game, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false
  ) throws where Encoder.State == Game.Choices.State {
    let tables = try OwnTables(game: game.name, encoder.layout)
    let own = try OwnRun(configuration, rule: rule, tables)
    let kind = OwnGame(game, encoder, tables)
    try self.init(own, kind, resuming: path, allowingChanges: allowsChanges) { run in
      try WorkerMaker(kind, own.rule, run)
    }
  }

  /// Makes a run of a game and a learner that the caller defines.
  ///
  /// - Parameters:
  ///   - configuration: with `batch` above 1 a thread plays one game at a time
  ///   - keys: those of `learner.lambda`, `learner.steps` and `learner.batch` that `learner` reads from the
  ///     configuration; others are refused
  ///   - learner: makes the learner of one thread, over weights that all threads share. A schedule changes its step
  ///     size by `setStepSize`
  @inlinable
  public convenience init<Game: SelfPlayGame, Encoder: FeatureEncoder, Rule: StepSizeRule, L: Learner & ~Copyable>(
    _ configuration: RunConfiguration, game: Game, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false, learnerKeys keys: Set<String> = [],
    learner: @escaping (ValueTable<Rule>, Encoder) -> L
  ) throws where Encoder.State == Game.Choices.State, L.Encoder == Encoder {
    let tables = try OwnTables(game: game.name, encoder.layout)
    let own = try OwnRun(configuration, rule: rule, tables, learner: OwnParts.name(of: L.self), reading: keys)
    let kind = OwnGame(game, encoder, tables)
    try self.init(own, kind, resuming: path, allowingChanges: allowsChanges) { run in
      try WorkerMaker(kind, own.rule, run, checking: learner)
    }
  }

  /// Makes a run with parts that the caller defines.
  @usableFromInline
  convenience init<Rule: StepSizeRule>(
    _ own: OwnRun<Rule>, _ kind: some TableKind, resuming path: String?, allowingChanges allowsChanges: Bool,
    maker: (RunInput) throws -> WorkerMaker<Rule>
  ) throws {
    let (configuration, communicator) = (own.configuration, SoloCommunicator())
    try Self.check(
      TableMemory.bytes(Rule.Cell.self, weights: kind.weightCount, configuration), available: MemoryLimit.bytes)
    let checkpoint = try path.map { try Checkpoint(stateIn: ModelFile.checkpoint(at: $0, of: kind.metadata)) }
    let keys = configuration.applyingKeys
    try checkpoint?.check(configuration, keys, allowingChanges: allowsChanges)
    let workers = configuration.workers
    let fresh = (0..<workers).map { RandomStream(seed: configuration.seed, stream: UInt64($0)) }
    let run = RunInput(
      configuration: configuration, streams: checkpoint?.streams(for: configuration, workers: workers) ?? fresh,
      initialValue: checkpoint == nil ? configuration.initialValue : 0, communicator: communicator)
    self.init(
      configuration, try TableTraining(kind, run, maker(run)), games: checkpoint?.games ?? 0,
      moves: checkpoint?.moves ?? 0, communicator: communicator)
    if let checkpoint { try checkpoint.restore(self, keys) } else { try begin() }
  }
}
