internal import TupeloBase
internal import TupeloLearning
internal import TupeloModels

extension RunConfiguration {
  /// Settings that are allowed and have no effect. They are not errors, because checkpoints of earlier runs have such
  /// settings, too, and a later `training.games` may give them an effect.
  ///
  /// - Parameter settings: what was said about a new run; `nil` for a run that is resumed
  func warnings(in settings: Settings?) -> [ConfigurationError.Problem] {
    var found: [ConfigurationError.Problem] = []
    let isNew = settings != nil
    found.add(
      .initialModel, if: initialModel != nil && isNew && stepSize.isCoherent && stepSize.alpha > 0.1 && !dense.isDense,
      "a model has no sums E and A, so the step size \(stepSize.alpha) soon overwrites what it has learned, and it "
        + "plays far worse: set learner.alpha; 0.1 is gentler")
    found.add(
      .lambda, if: returns.lambda > 0 && returns.steps == 1,
      "\(returns.lambda) has no effect with learner.steps 1: give more steps, or leave it out")
    found.add(
      .gamesAtOnce, if: batch > 1 && !dense.isDense && training.gamesAtOnce != nil,
      "\(gamesAtOnce) has no effect with learner.batch above 1, which plays one game at a time: leave it out")
    // Features that a number turns on. Overrides and sweeps turn them off, too, and leave the other keys as they are.
    let isUnmeasured = evaluation.games == 0 && evaluation.everyGames == 0
    let off: [(isOff: Bool, by: [ConfigurationKey], keys: [ConfigurationKey])] = [
      (stepSize.isCoherent && schedule.warmUpGames == 0, [.warmUpGames], [.warmUpAlpha]),
      (decay.share == 0, [.decay], [.decayEveryGames]),
      (averaging.everyGames == 0, [.averagingEveryGames], [.averagingWindow]),
      // A learner of another program says itself when it is evaluated.
      (evaluation.everyGames == 0 && own.learner == nil, [.evaluationEveryGames], [.interimGames]),
      (isUnmeasured, [.evaluationGames, .evaluationEveryGames], [.evaluationSeed, .plies]),
    ]
    for feature in off where feature.isOff {
      let names = feature.by.map(\.path).joined(separator: " or ")
      for key in feature.keys where key.isChanged(self) {
        found.add(key, "has no effect while \(names) is 0: set it, or leave this key out")
      }
    }
    func after(_ games: Int) -> String { "after \(CountText.text(games, "game"))" }
    let end = "training ends \(after(training.games))"
    if let change = schedule.changes.first(where: { $0.games >= training.games }) {
      found.add(.alphaSchedule, "the change of alpha \(after(change.games)) has no effect: \(end)")
    }
    let periods: [(key: ConfigurationKey, name: String, games: Int)] = [
      (.decay, "decay", decay.share > 0 ? decay.everyGames : 0),
      (.averagingEveryGames, "average", averaging.everyGames),
      (.evaluationEveryGames, "evaluation during training", evaluation.everyGames),
      (.checkpointGames, "checkpoint of this interval", output.checkpointGames),
    ]
    for period in periods where period.games > training.games && settings?.values[period.key.path] != nil {
      found.add(period.key, "the first \(period.name) is \(after(period.games)), and \(end): it has no effect")
    }
    return found
  }
}
