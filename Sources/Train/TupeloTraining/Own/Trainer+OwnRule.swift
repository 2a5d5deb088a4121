public import TupeloConfiguration
public import TupeloEngine
public import TupeloLearning
public import TupeloNetwork
public import TupeloTables

extension Trainer {
  /// Makes a run of 2048 with a step-size rule of the caller's choice. `learner.lambda`, `learner.steps` and
  /// `learner.batch` of the configuration choose the learner.
  ///
  /// The model is an n-tuple network as usual, which every command reads. A checkpoint names the rule by its type, and
  /// only a program with this rule continues the run.
  ///
  /// The compiler specialises the trainer for the rule at the call. So a release build trains as fast as with a rule of
  /// the package, if the rule is in the caller's module or inlinable.
  ///
  /// - Parameters:
  ///   - configuration: all settings of the run, except for `learner.step_size`
  ///   - rule: the rule. Its step size is `learner.alpha` if the configuration chooses one; otherwise that of the rule
  ///   - path: a checkpoint of the same network and rule, from which the run continues; `nil` for a new run
  ///   - allowsChanges: whether settings that affect the learned values may differ from those of the checkpoint
  /// - Throws: `ConfigurationError`; `TrainingError` for a setting that has no effect with the rule;
  ///   `WeightStorageError.outOfMemory` before anything is allocated; for a checkpoint the errors of `Checkpoint`.
  @inlinable
  public convenience init<Rule: StepSizeRule>(
    _ configuration: RunConfiguration, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false
  ) throws {
    let own = try OwnRun(configuration, rule: rule, nil)
    let kind = Tables2048(own.configuration)
    try self.init(own, kind, resuming: path, allowingChanges: allowsChanges) { run in
      try WorkerMaker(kind, own.rule, run)
    }
  }

  /// Makes a run of 2048 with a step-size rule and a learner of the caller's choice.
  ///
  /// - Parameters:
  ///   - configuration: all settings of the run, except for `learner.step_size`. With `learner.batch` above 1 a thread
  ///     plays one game at a time
  ///   - rule: the rule that moves the weights, or a rule of the package, such as `TemporalCoherence`
  ///   - path: a checkpoint of the same network, rule and learner; `nil` for a new run
  ///   - allowsChanges: whether settings that affect the learned values may differ from those of the checkpoint
  ///   - keys: those of `learner.lambda`, `learner.steps` and `learner.batch` that `learner` reads from the
  ///     configuration; others are refused
  ///   - learner: makes the learner of one thread, over weights that all threads share. A schedule changes its step
  ///     size by `setStepSize`
  /// - Throws: the errors of the initializer without a learner.
  @inlinable
  public convenience init<Rule: StepSizeRule, L: Learner & ~Copyable>(
    _ configuration: RunConfiguration, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false, learnerKeys keys: Set<String> = [],
    learner: @escaping (ValueTable<Rule>, TupleIndexer) -> L
  ) throws where L.Encoder == TupleIndexer {
    let own = try OwnRun(configuration, rule: rule, nil, learner: OwnParts.name(of: L.self), reading: keys)
    let kind = Tables2048(own.configuration)
    try self.init(own, kind, resuming: path, allowingChanges: allowsChanges) { run in
      try WorkerMaker(kind, own.rule, run, checking: learner)
    }
  }
}

extension Trainer {
  /// Makes a run of 2048 with an encoder of the caller's choice, in place of the patterns of a network.
  ///
  /// Only the caller's program can play with the values: see `values(_:)`. Every command that is given the checkpoint
  /// says so.
  ///
  /// - Parameters:
  ///   - configuration: all settings of the run, except for `network` and `learner.step_size`
  ///   - encoder: turns afterstates into features; its layout has the number of weights
  ///   - rule: the rule. Its step size is `learner.alpha` if the configuration chooses one; otherwise that of the rule
  ///   - path: a checkpoint of the same encoder and rule; `nil` for a new run
  ///   - allowsChanges: whether settings that affect the learned values may differ from those of the checkpoint
  /// - Throws: the errors of the initializer without an encoder.
  @inlinable
  public convenience init<Encoder: FeatureEncoder, Rule: StepSizeRule>(
    _ configuration: RunConfiguration, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false
  ) throws where Encoder.State == Afterstate {
    let tables = OwnTables(encoder: OwnParts.name(of: Encoder.self), encoder.layout)
    let own = try OwnRun(configuration, rule: rule, tables)
    let game = Game2048(own.configuration)
    let kind = OwnGame(game, encoder, tables, sumLimit: game.sumLimit)
    try self.init(own, kind, resuming: path, allowingChanges: allowsChanges) { run in
      try WorkerMaker(kind, own.rule, run)
    }
    measure(by: encoder)
  }

  /// Makes a run of 2048 with an encoder, a step-size rule and a learner of the caller's choice.
  ///
  /// - Parameters:
  ///   - keys: those of `learner.lambda`, `learner.steps` and `learner.batch` that `learner` reads from the
  ///     configuration; others are refused
  ///   - learner: makes the learner of one thread, over weights that all threads share
  @inlinable
  public convenience init<Encoder: FeatureEncoder, Rule: StepSizeRule, L: Learner & ~Copyable>(
    _ configuration: RunConfiguration, encoder: Encoder, rule: Rule, resuming path: String? = nil,
    allowingChanges allowsChanges: Bool = false, learnerKeys keys: Set<String> = [],
    learner: @escaping (ValueTable<Rule>, Encoder) -> L
  ) throws where Encoder.State == Afterstate, L.Encoder == Encoder {
    let tables = OwnTables(encoder: OwnParts.name(of: Encoder.self), encoder.layout)
    let own = try OwnRun(configuration, rule: rule, tables, learner: OwnParts.name(of: L.self), reading: keys)
    let game = Game2048(own.configuration)
    let kind = OwnGame(game, encoder, tables, sumLimit: game.sumLimit)
    try self.init(own, kind, resuming: path, allowingChanges: allowsChanges) { run in
      try WorkerMaker(kind, own.rule, run, checking: learner)
    }
    measure(by: encoder)
  }
  /// Lets evaluations play greedily by the values of an encoder.
  @usableFromInline
  func measure<Encoder: FeatureEncoder>(by encoder: Encoder) where Encoder.State == Afterstate {
    ownContender = { trainer in try trainer.values(encoder).contender(rules: trainer.configuration.rules) }
  }
}
