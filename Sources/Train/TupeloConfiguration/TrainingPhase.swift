internal import TupeloLearning
internal import TupeloNetwork

/// The settings that change in the course of a run, as they are between two changes.
package struct TrainingPhase: Hashable, Sendable {
  /// The step size.
  package var alpha: Float
  /// Whether all weights take the same step, whatever the rule.
  package var isWarmUp: Bool
  /// Whether later stages use weights of their own yet.
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
