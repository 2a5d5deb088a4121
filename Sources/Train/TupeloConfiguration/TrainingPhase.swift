internal import TupeloLearning
internal import TupeloNetwork

/// The values, between two changes, of the settings that change in the course of a run.
package struct TrainingPhase: Hashable, Sendable {
  /// The step size.
  package var alpha: Float
  /// Whether all weights take the same step, for every rule.
  package var isWarmUp: Bool
  /// Whether later stages use separate weights yet.
  package var isStaged: Bool
}

extension RunConfiguration {
  /// The phase after `games` games.
  package func phase(after games: Int) -> TrainingPhase {
    let step = schedule.stepSize(after: games, alpha: stepSize.alpha)
    return TrainingPhase(alpha: step.alpha, isWarmUp: step.isWarmUp, isStaged: games >= stages.afterGames)
  }

  /// The numbers of games at which the phase may change.
  package var phaseChanges: [Int] {
    [schedule.warmUpGames] + schedule.changes.map(\.games) + [stages.afterGames]
  }
}
