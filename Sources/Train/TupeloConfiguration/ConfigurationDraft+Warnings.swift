internal import TupeloLearning
internal import TupeloModels

extension ConfigurationDraft {
  /// Settings that are allowed and have no effect. They are no errors, because checkpoints of earlier runs have them
  /// too, and a later `training.games` may give them an effect.
  ///
  /// - Precondition: the draft is resolved, without problems.
  func warnings() -> [ConfigurationError.Problem] {
    var found: [(path: String, warning: ConfigurationError.Contradiction)] = []
    let (returns, training) = (configuration.returns, configuration.training)
    if returns.lambda > 0, returns.steps == 1 {
      found.append(("learner.lambda", .lambdaWithinOneStep(returns.lambda)))
    }
    if configuration.batch > 1, !configuration.dense.isDense, let gamesAtOnce, gamesAtOnce > 1 {
      found.append(("training.games_at_once", .interleavedBatch(gamesAtOnce)))
    }
    if let change = configuration.schedule.changes.first(where: { $0.games >= training.games }) {
      found.append(("learner.alpha_schedule", .changeAfterEnd(games: change.games, end: training.games)))
    }
    return found.map { problem($0.path, .contradiction($0.warning)) }
  }
}
