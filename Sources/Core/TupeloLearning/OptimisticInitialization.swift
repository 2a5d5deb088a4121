internal import TupeloTables

extension ValueTable {
  /// Optimistic initialization (Guei et al. 2021): every state starts at `value` score points.
  ///
  /// Each weight starts at value / m. So untried moves look better than they are, and training tries them. Use this for
  /// a new network, before any worker runs.
  ///
  /// - Parameter count: the number of weights to initialize, from the first on. These are the patterns' weights, or
  ///   only their first stage if later stages are promoted from it, because only zero weights are promoted.
  /// - Complexity: O(count): one pass, which also makes the kernel provide the memory of these weights.
  package func initialize(toValue value: Float, count: Int) {
    guard value != 0 else { return }
    weights.exclusively { weights in
      weights.withMutableWeights(of: 0..<count) { weights in
        for index in weights.indices { weights[index] = value * share }
      }
    }
  }
}
