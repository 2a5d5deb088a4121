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

  /// Copies all weights of another storage. Sums are not copied, and the sums here do not change.
  ///
  /// - Precondition: both have as many weights.
  /// - Complexity: O(count), bound by memory.
  package mutating func copyWeights<Other: WeightCell>(of other: borrowing ReadableWeights<Other>) {
    precondition(other.count == count)
    other.withWeights { other in withMutableWeights { PlainLoops.copy(other, &$0) } }
  }
}
