internal import TupeloTables

extension TemporalDifferenceLearner {
  /// Optimistic initialization (Guei et al. 2021): every state starts at `value` score points.
  ///
  /// Each weight starts at value / m. So untried moves look better than they are and get tried. For a fresh network,
  /// before any worker runs.
  ///
  /// - Parameter count: the number of weights to initialize, from the first on. These are the patterns' weights, or
  ///   their first stage only where later stages are promoted from it: only zero weights are promoted.
  /// - Complexity: O(count): one pass, which also takes the memory of these weights from the kernel at once.
  package func initialize(toValue value: Float, count: Int) {
    guard value != 0 else { return }
    weights.exclusively { weights in
      weights.withMutableWeights(of: 0..<count) { weights in
        for index in weights.indices { weights[index] = value * share }
      }
    }
  }
}
