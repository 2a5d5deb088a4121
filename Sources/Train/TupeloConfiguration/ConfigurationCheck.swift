internal import TupeloBase
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

/// A rule about several settings, in addition to the rows of the keys.
struct ConfigurationCheck: Sendable {
  /// The key that the problem names.
  let key: String
  /// Keys whose values must be valid before the rule can be checked.
  let known: [String]
  /// Returns what is wrong; `nil` if the rule holds.
  let find: @Sendable (ConfigurationSettings, RunConfiguration) -> String?

  private init(
    _ key: String, known: String..., find: @escaping @Sendable (ConfigurationSettings, RunConfiguration) -> String?
  ) {
    self.key = key
    self.known = known
    self.find = find
  }

  func problem(in settings: ConfigurationSettings) -> ConfigurationError.Problem? {
    guard settings.isKnown(known) else { return nil }
    return find(settings, settings.configuration).map { settings.problem(key, .contradiction($0)) }
  }
}

extension ConfigurationCheck {
  static let contradictions: [ConfigurationCheck] = [
    ConfigurationCheck("learner.lambda", known: "learner.lambda", "learner.steps") { settings, _ in
      settings.isEndless
        ? "lambda 1 never fades: say how far to look with learner.steps (a number, or episode)" : nil
    },
    ConfigurationCheck("learner.steps", known: "learner.lambda", "learner.steps") { _, configuration in
      configuration.lambda == 0 && configuration.steps != 1
        ? "lambda 0 looks one step ahead: for n-step returns set learner.lambda to 1, or leave learner.steps out" : nil
    },
    ConfigurationCheck("learner.alpha_schedule") { _, configuration in
      let warmUp = configuration.schedule.warmUpGames
      guard configuration.stepSize.rule == .temporalCoherence, let first = configuration.schedule.changes.first,
        first.games < warmUp
      else { return nil }
      return "changes alpha after \(CountText.text(first.games, "game")), while the warm-up of "
        + "\(CountText.text(warmUp, "game")) still runs: let it begin later"
    },
    ConfigurationCheck(
      "learner.zeros", known: "network.stages", "stages.promotion", "stages.after_games", "learner.warm_up_games"
    ) { _, configuration in
      guard configuration.zeros == .stay else { return nil }
      if configuration.fillsStages {
        return "later stages take weights of earlier ones: set stages.promotion to none, and stages.after_games to 0"
      }
      return configuration.schedule.warmUpGames > 0
        ? "a warm-up moves all weights: leave out learner.warm_up_games" : nil
    },
    ConfigurationCheck("stages.frozen", known: "network.stages", "stages.frozen") { _, configuration in
      let (count, frozen) = (configuration.network.stages.count, Set(configuration.stages.frozen))
      guard count > 1 else { return nil }
      if let wrong = frozen.max(), wrong >= count {
        return "there is no stage \(wrong): the network has stages 0 to \(count - 1)"
      }
      return frozen.count == count ? "all stages are frozen: leave one out" : nil
    },
    ConfigurationCheck("episodes.start", known: "network.stages") { settings, configuration in
      configuration.start.kind == .carousel && configuration.network.stages.count == 1
        && !settings.idle.contains { $0.path.hasPrefix("episodes.") } ? ConfigurationKey.Need.stages.refusal : nil
    },
    ConfigurationCheck("training.games_at_once") { _, configuration in
      guard let games = configuration.training.gamesAtOnce, games > 16, !configuration.dense.isDense,
        ConfigurationKey.Need.interleaving.isMet(configuration)
      else { return nil }
      return "\(games) games at once are for dense networks (network.dense): give up to 16"
    },
    ConfigurationCheck("learner.batch", known: "learner.lambda", "learner.steps") { settings, configuration in
      configuration.batch != 1 && configuration.lambda > 0 && !configuration.dense.isDense && !settings.isEndless
        ? "a batch learns TD(0): leave out learner.lambda, or set learner.batch to 1" : nil
    },
    ConfigurationCheck("learner.step_size") { _, configuration in
      configuration.stepSize.rule == .adam && !configuration.dense.isDense ? ConfigurationKey.Need.dense.refusal : nil
    },
    ConfigurationCheck("network.dense.hidden") { _, configuration in
      guard configuration.dense.isDense, configuration.clashes(with: .dense).isEmpty else { return nil }
      do {
        _ = try configuration.structure()
        return nil
      } catch {
        return "\(error)"
      }
    },
    ConfigurationCheck("training.threads") { _, configuration in
      let (threads, replicas) = (configuration.training.threads, configuration.training.replicas)
      return replicas > 1 && threads > 1
        ? "\(threads) threads share weights, and training.replicas gives each its own: give one of the two" : nil
    },
  ]

  static let warnings: [ConfigurationCheck] = [
    ConfigurationCheck("learner.lambda") { _, configuration in
      configuration.lambda > 0 && configuration.steps == 1
        ? "\(configuration.lambda) has no effect with learner.steps 1: give more steps, or leave it out" : nil
    },
    ConfigurationCheck("training.games_at_once") { _, configuration in
      guard configuration.batch > 1, !configuration.dense.isDense, let games = configuration.training.gamesAtOnce
      else { return nil }
      return "\(games) has no effect with learner.batch above 1, which plays one game at a time: leave it out"
    },
    ConfigurationCheck("learner.alpha_schedule") { _, configuration in
      let end = configuration.training.games
      guard let change = configuration.schedule.changes.first(where: { $0.games >= end }) else { return nil }
      return "the change of alpha after \(CountText.text(change.games, "game")) has no effect: training ends after "
        + "\(CountText.text(end, "game"))"
    },
  ]
}

extension ConfigurationSettings {
  /// Whether lambda needs a look-ahead without an end, and no source gives the number of steps.
  fileprivate var isEndless: Bool {
    !isGiven("learner.steps") && LambdaReturn.steps(for: configuration.lambda) == nil
  }
}
