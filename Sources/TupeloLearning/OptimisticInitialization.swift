internal import TupeloTables

extension TemporalDifferenceLearner {
  /// Optimistic initialization (Guei 2021): every state starts at `value` score points, each weight of a pattern at
  /// value / m, so that what has not been tried looks better than it is and gets tried. For a fresh network, before any
  /// worker runs.
  ///
  /// - Parameter count: the weights to begin so: those of the patterns, or of their first stage alone where later
  ///   stages take theirs over from it, which only weights do that are still zero.
  /// - Complexity: one pass over these weights, which also takes their memory from the kernel at once.
  package func initialize(toValue value: Float, count: Int) {
    guard value != 0 else { return }
    weights.exclusively { weights in
      weights.withMutableWeights(of: 0..<count) { weights in
        for index in weights.indices { weights[index] = value * share }
      }
    }
  }
}
