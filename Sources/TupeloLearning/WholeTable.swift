internal import TupeloBLAS
package import TupeloTables

/// Passes over all weights at once.
extension ExclusiveWeights {
  /// Every weight times 1 - `share`: what is not confirmed fades. The sums of temporal coherence stay.
  ///
  /// - Parameter share: in 0..<1.
  /// - Complexity: O(count), bound by memory.
  package mutating func decay(by share: Float) {
    withMutableWeights { BLAS.scale(1 - share, &$0) }
  }

  /// Takes over all weights of another storage, whatever stands beside them there; what stands beside them here stays.
  ///
  /// - Precondition: both have as many weights.
  /// - Complexity: O(count), bound by memory.
  package mutating func copyWeights<Other: WeightCell>(of other: borrowing ExclusiveWeights<Other>) {
    precondition(other.count == count)
    other.withWeights { other in withMutableWeights { BLAS.copy(other, &$0) } }
  }
}
