internal import TupeloNetwork
internal import TupeloLearning

/// What changes in the course of a run, as it holds from one change to the next.
struct TrainingPhase: Hashable, Sendable {
  /// The step size.
  var alpha: Float
  /// Whether all weights take the same step, whatever the rule.
  var isWarmUp: Bool
  /// Whether later stages have weights of their own yet.
  var isStaged: Bool
  /// Whether the weights of whole states learn and those of the patterns stay as they are, or the other way round.
  var learnsStates: Bool
  /// What a move that was never tried gets on top, in score points.
  var visitBonus: Float
}

extension RunConfiguration {
  /// What holds after `games` games.
  func phase(after games: Int) -> TrainingPhase {
    let step = schedule.stepSize(after: games, alpha: stepSize.alpha)
    return TrainingPhase(
      alpha: step.alpha, isWarmUp: step.isWarmUp, isStaged: games >= stages.afterGames,
      learnsStates: states.bits > 0 && games >= states.afterGames, visitBonus: visits.bonus(after: games))
  }

  /// The numbers of games at which something may change.
  var phaseChanges: [Int] {
    [schedule.warmUpGames] + schedule.changes.map(\.games) + visits.restarts + [stages.afterGames, states.afterGames]
  }
}
