internal import TupeloBLAS
package import TupeloTables

/// Learning steps that pass over all weights at once.
extension ExclusiveWeights {
  /// Multiplies every weight that may change by 1 - `share` (weight decay). The sums of temporal coherence do not
  /// change.
  ///
  /// BLAS and a loop are equally fast and give equal bits: a product of two numbers is rounded once.
  ///
  /// - Parameter share: in 0..<1.
  /// - Complexity: O(count), bound by memory.
  package mutating func decay(by share: Float) {
    for range in changeable { withMutableWeights(of: range) { BLAS.scale(1 - share, &$0) } }
  }

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

  /// Copies all weights of another storage. Sums are not copied, and the sums here do not change.
  ///
  /// - Precondition: both have as many weights.
  /// - Complexity: O(count), bound by memory.
  package mutating func copyWeights<Other: WeightCell>(of other: borrowing ReadableWeights<Other>) {
    precondition(other.count == count)
    other.withWeights { other in withMutableWeights { PlainLoops.copy(other, &$0) } }
  }
}
