internal import TupeloLearning

extension RunConfiguration {
  /// A short description of the learner, such as `temporal-coherence, alpha 1.0, lambda 0.5 over 4 steps`.
  public var learnerText: String {
    var parts = ["\(stepSize)"]
    if returns.lambda > 0 {
      parts.append("lambda \(returns.lambda) over " + (returns.steps.map { "\($0) steps" } ?? "the episode"))
    }
    if schedule.warmUpGames > 0 { parts.append("after \(schedule.warmUpGames) games of TD") }
    if visits.bonus > 0 { parts.append("visit bonus \(visits.bonus)") }
    if start != .fresh { parts.append("\(start.kind.rawValue) starts") }
    return parts.joined(separator: ", ")
  }
}
