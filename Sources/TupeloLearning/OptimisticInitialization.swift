internal import TupeloNetwork

extension TemporalDifferenceLearner {
  /// Optimistic initialization (Guei 2021): every state starts at `value` score points, each weight at value / m, so that what has not
  /// been tried looks better than it is and gets tried. For a fresh network, before any worker runs.
  ///
  /// - Complexity: one pass over all weights, which also takes their memory from the kernel at once.
  public func initialize(toValue value: Float) {
    guard value != 0 else { return }
    for index in 0..<weights.count { weights[index].weight = value * share }
  }
}
