internal import TupeloBase
public import TupeloConfiguration
public import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// A run with parts that the caller defines: its complete configuration, and its rule with the first step size.
@usableFromInline
struct OwnRun<Rule: StepSizeRule> {
  @usableFromInline private(set) var configuration: RunConfiguration
  @usableFromInline private(set) var rule: Rule

  /// The step size is `learner.alpha` if the configuration chooses one, and otherwise that of the rule.
  ///
  /// - Parameters:
  ///   - tables: the weights of a game or encoder that the caller defines; `nil` for a network of 2048
  ///   - learner: the name of the learner that the caller defines
  ///   - keys: the keys that this learner reads
  /// - Throws: `ConfigurationError`; `TrainingError` with a key that has no effect with these parts.
  @usableFromInline
  init(
    _ configuration: RunConfiguration, rule: Rule, _ tables: OwnTables?, learner: String? = nil,
    reading keys: Set<String> = []
  ) throws {
    (self.configuration, self.rule) = (configuration, rule)
    let shipped = Self.shippedRule
    self.configuration.own.game = tables?.game
    self.configuration.own.encoder = tables?.encoder
    self.configuration.own.rule = shipped == nil ? OwnParts.name(of: Rule.self) : nil
    self.configuration.own.learner = learner
    if let unread = configuration.own.unread { throw TrainingError.unread(setting: "own.\(unread)") }
    try refuseIdleKeys(reading: learner == nil ? nil : keys)
    let alpha = configuration.stepSize.chosenAlpha ?? rule.alpha
    self.configuration.stepSize = .init(rule: shipped ?? configuration.stepSize.rule, chosenAlpha: alpha)
    self.rule.alpha = alpha
    let suitable = gamesAtOnce(tables)
    if configuration.training.gamesAtOnce == nil, suitable != self.configuration.gamesAtOnce {
      self.configuration.training.gamesAtOnce = suitable
    }
    try self.configuration.validate()
  }

  /// The rule as a rule of the package; `nil` for a rule that the caller defines.
  private static var shippedRule: RunConfiguration.StepSize.Rule? {
    if Rule.self == TemporalCoherence.self { return .temporalCoherence }
    return Rule.self == ConstantStepSize.self ? .constant : nil
  }

  /// Refuses settings that the parts of the caller do not use.
  ///
  /// - Parameter learnerKeys: the keys that the learner of the caller reads; `nil` for a learner of the package
  private func refuseIdleKeys(reading learnerKeys: Set<String>?) throws(TrainingError) {
    let own = configuration.own
    if let game = own.game, let key = configuration.settingOfAnotherGame { throw .notOfGame(game: game, key: key) }
    if own.game == nil, configuration.game != .twentyFortyEight { throw .notOf(part: "2048", key: "game") }
    let (stepSize, returns) = (configuration.stepSize.rule, configuration.returns)
    let rule = "the rule \(OwnParts.name(of: Rule.self))"
    let ofRule: [(key: ConfigurationKey, isIdle: Bool)] = [
      (.hidden, configuration.dense.isDense),
      (.stepSize, stepSize != .temporalCoherence && stepSize != Self.shippedRule),
      (.warmUpGames, configuration.schedule.warmUpGames > 0 && !Rule.warmsUp),
      (.zeros, configuration.zeros == .stay && !Rule.sumsErrors),
      // Merging adds up the sums of temporal coherence, and knows no others.
      (.replicas, configuration.training.replicas > 1 && Rule.Cell.sumCount > 0 && !Rule.sumsErrors),
    ]
    if let idle = ofRule.first(where: \.isIdle) { throw .notOf(part: rule, key: idle.key.path) }
    if let encoder = own.encoder {
      let isStandard = configuration.rules.shape != .standard || configuration.network == Self.standardNetwork
      let ofEncoder: [(key: ConfigurationKey, isIdle: Bool)] = [
        (.patterns, !isStandard), (.initialModel, configuration.initialModel != nil),
        (.plies, configuration.evaluation.plies > 1),
      ]
      if let idle = ofEncoder.first(where: \.isIdle) {
        throw .notOf(part: "the encoder \(encoder)", key: idle.key.path)
      }
    }
    if let learner = own.learner, let learnerKeys {
      let ofLearner: [(key: ConfigurationKey, isIdle: Bool)] = [
        (.lambda, returns.lambda != 0), (.steps, returns.lambda == 0 && returns.steps != 1),
        (.batch, configuration.batch > 1),
      ]
      let idle = ofLearner.first { $0.isIdle && !learnerKeys.contains($0.key.path) }
      if let idle { throw .notOfLearner(learner, key: idle.key.path) }
    }
    if let game = own.game, configuration.training.replicas > 1 {
      throw .notOfGame(game: game, key: ConfigurationKey.replicas.path)
    }
  }

  private static var standardNetwork: NetworkSpecification { RunConfiguration.standardNetwork }

  /// The default number of interleaved games: as for a rule of the package that has as many sums.
  private func gamesAtOnce(_ tables: OwnTables?) -> Int {
    let (network, returns) = (configuration.network, configuration.returns)
    guard configuration.batch == 1, tables != nil || network.shape == .standard else { return 1 }
    return RunConfiguration.Training.suitableGamesAtOnce(
      features: tables?.layout.featureCount ?? network.featureCount,
      weights: tables?.layout.weightCount ?? network.stageWeightCount,
      asksForSums: Rule.Cell.sumCount > 0 && returns.steps != nil)
  }
}

extension OwnParts {
  /// The name of a type in files: without its module, and without the types that it is generic over.
  @usableFromInline
  static func name<T: ~Copyable>(of type: T.Type) -> String {
    let name = String(describing: type)
    return name.firstIndex(of: "<").map { String(name[..<$0]) } ?? name
  }
}
