internal import DenseModels
internal import PlainText
internal import TupeloLearning

extension RunConfiguration {
  /// A short description of the learner, such as `temporal-coherence, alpha 1.0, lambda 0.5 over 4 steps`.
  public var learnerText: String {
    var parts = ["\(stepSize)"]
    if dense.isDense { parts.append("batches of \(batch)") }
    // One step looks no further than TD(0), whatever lambda is.
    if returns.lambda > 0, returns.steps != 1 {
      let reach = returns.steps.map { CountText.text($0, "step") } ?? "the episode"
      parts.append("lambda \(returns.lambda) over \(reach)")
    }
    if schedule.warmUpGames > 0 { parts.append("after \(NumberText.counted(schedule.warmUpGames, "game")) of TD") }
    if visits.bonus > 0 { parts.append("visit bonus \(visits.bonus)") }
    if start != .fresh { parts.append("\(start.kind.rawValue) starts") }
    return parts.joined(separator: ", ")
  }
}
