package import TupeloTables

extension ExclusiveWeights {
  /// Halves E and A of every weight that may change, until A is below `limit`. The rate |E| / A stays. A sum in single
  /// precision loses errors below 2^-24 of its size, so a sum that grew for ever would stop growing.
  ///
  /// An infinite A stays, with its E.
  ///
  /// - Precondition: cells have the two sums of temporal coherence.
  /// - Returns: whether a sum has changed
  /// - Complexity: O(count), bound by memory.
  package mutating func halveSums(from limit: Float) -> Bool {
    precondition(Cell.sumCount == 2 && limit > 0)
    var hasChanged = false
    for range in changeable {
      withMutableSums(of: range) { sums in
        for index in stride(from: 1, to: sums.count, by: 2) where sums[index] >= limit && sums[index] < .infinity {
          while sums[index] >= limit {
            sums[index - 1] /= 2
            sums[index] /= 2
          }
          hasChanged = true
        }
      }
    }
    return hasChanged
  }
}

/// The number of games between two passes that halve large sums. In so many games of 2048, A of the weight that is used
/// most grows by about 2^30.
package let halvingGames = 10_000
