internal import TupeloDense
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

/// A rule about several settings, for what the rows of the keys do not say.
struct ConfigurationCheck: Sendable {
  /// The key that is told of.
  let key: String
  /// Keys whose values must have been understood before the rule can be checked.
  let known: [String]
  /// The problem; `nil` where there is none.
  let find: @Sendable (ConfigurationSettings, RunConfiguration) -> ConfigurationError.Reason?

  private init(
    _ key: String, known: String..., find: @escaping @Sendable (ConfigurationSettings, RunConfiguration) -> Reason?
  ) {
    self.key = key
    self.known = known
    self.find = find
  }

  private typealias Reason = ConfigurationError.Reason

  func problem(in settings: ConfigurationSettings) -> ConfigurationError.Problem? {
    guard settings.isKnown(known) else { return nil }
    return find(settings, settings.configuration).map { settings.problem(key, $0) }
  }
}

extension ConfigurationCheck {
  static let contradictions: [ConfigurationCheck] = [
    ConfigurationCheck("learner.lambda", known: "learner.lambda", "learner.steps") { settings, _ in
      settings.isEndless ? .contradiction(.endlessLambda) : nil
    },
    ConfigurationCheck("learner.steps", known: "learner.lambda", "learner.steps") { _, configuration in
      configuration.lambda == 0 && configuration.steps != 1 ? .contradiction(.stepsWithoutLambda) : nil
    },
    ConfigurationCheck("learner.alpha_schedule") { _, configuration in
      let schedule = configuration.schedule
      guard configuration.stepSize.rule == .temporalCoherence, let first = schedule.changes.first,
        first.games < schedule.warmUpGames
      else { return nil }
      return .contradiction(.changeInWarmUp(games: first.games, warmUp: schedule.warmUpGames))
    },
    ConfigurationCheck("stages.frozen", known: "network.stages", "stages.frozen") { _, configuration in
      let (count, frozen) = (configuration.network.stages.count, Set(configuration.stages.frozen))
      guard count > 1 else { return nil }
      if let wrong = frozen.max(), wrong >= count { return .contradiction(.noSuchStage(wrong, count: count)) }
      return frozen.count == count ? .contradiction(.nothingLearns) : nil
    },
    ConfigurationCheck("episodes.start", known: "network.stages") { settings, configuration in
      guard configuration.start.kind == .carousel, configuration.network.stages.count == 1,
        !settings.idle.contains(where: { $0.path.hasPrefix("episodes.") })
      else { return nil }
      return .contradiction(.unused(without: ConfigurationKey.Need.stages.text))
    },
    ConfigurationCheck("training.games_at_once") { _, configuration in
      guard let games = configuration.training.gamesAtOnce, games > 16, !configuration.dense.isDense,
        ConfigurationKey.Need.interleaving.isMet(configuration)
      else { return nil }
      return .contradiction(.manyInterleaved(games))
    },
    ConfigurationCheck("learner.batch", known: "learner.lambda", "learner.steps") { settings, configuration in
      configuration.batch != 1 && configuration.lambda > 0 && !configuration.dense.isDense && !settings.isEndless
        ? .contradiction(.batchWithLambda) : nil
    },
    ConfigurationCheck("learner.step_size") { _, configuration in
      configuration.stepSize.rule == .adam && !configuration.dense.isDense
        ? .contradiction(.unused(without: ConfigurationKey.Need.dense.text)) : nil
    },
    ConfigurationCheck("network.dense.hidden") { _, configuration in
      guard configuration.dense.isDense, configuration.clashes(with: .dense).isEmpty else { return nil }
      do throws(DenseError) {
        _ = try configuration.denseModel()
        return nil
      } catch {
        return .dense(error)
      }
    },
    ConfigurationCheck("training.threads") { _, configuration in
      let training = configuration.training
      guard training.replicas > 1, training.threads > 1 else { return nil }
      return .contradiction(.threadsWithReplicas(training.threads))
    },
  ]

  static let warnings: [ConfigurationCheck] = [
    ConfigurationCheck("learner.lambda") { _, configuration in
      let (lambda, steps) = (configuration.lambda, configuration.steps)
      return lambda > 0 && steps == 1 ? .contradiction(.lambdaWithinOneStep(lambda)) : nil
    },
    ConfigurationCheck("training.games_at_once") { _, configuration in
      guard configuration.batch > 1, !configuration.dense.isDense, let games = configuration.training.gamesAtOnce
      else { return nil }
      return .contradiction(.interleavedBatch(games))
    },
    ConfigurationCheck("learner.alpha_schedule") { _, configuration in
      let end = configuration.training.games
      let change = configuration.schedule.changes.first { $0.games >= end }
      return change.map { .contradiction(.changeAfterEnd(games: $0.games, end: end)) }
    },
  ]
}

extension ConfigurationSettings {
  /// Whether lambda says to look ahead without an end, and no source says how far.
  fileprivate var isEndless: Bool {
    !isGiven("learner.steps") && LambdaReturn.steps(for: configuration.lambda) == nil
  }
}
