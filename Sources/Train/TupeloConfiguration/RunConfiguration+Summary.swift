internal import TupeloBase
internal import TupeloLearning
internal import TupeloModels

extension RunConfiguration {
  /// A description of the learner, such as `temporal-coherence, alpha 1.0, lambda 0.5 over 4 steps`, with the step size
  /// that is in force after `games` games of a run. During the warm-up it describes plain TD, and also names the
  /// learner after the warm-up.
  public func learnerText(after games: Int) -> String {
    let step = schedule.stepSize(after: games, alpha: stepSize.alpha)
    let isWarmUp = games > 0 && step.isWarmUp
    let rule = games == 0 || isWarmUp ? "\(stepSize)" : "\(stepSize.rule.rawValue), alpha \(step.alpha)"
    var parts = [rule]
    if dense.isDense { parts.append("batches of \(batch)") }
    // One step gives TD(0) for any lambda.
    if returns.lambda > 0, returns.steps != 1 {
      let reach = returns.steps.map { CountText.text($0, "step") } ?? "the episode"
      parts.append("lambda \(returns.lambda) over \(reach)")
    }
    if schedule.warmUpGames > games {
      let rest = NumberText.counted(schedule.warmUpGames - games, "game")
      parts.append(isWarmUp ? "after \(rest) more of TD, alpha \(step.alpha)" : "after \(rest) of TD")
    }
    if start != .fresh { parts.append("\(start.kind.rawValue) starts") }
    return parts.joined(separator: ", ")
  }
}
