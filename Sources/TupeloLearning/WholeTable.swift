internal import TupeloBLAS
public import TupeloNetwork

/// Passes over all weights at once. For moments when no worker runs.
extension WeightStorage {
  /// Every weight times 1 - `share`: what is not confirmed fades. The sums of temporal coherence stay.
  ///
  /// - Parameter share: in 0..<1.
  /// - Complexity: O(count), bound by memory.
  public func decay(by share: Float) {
    withMutableWeights { BLAS.scale(1 - share, &$0) }
  }

  /// Takes over all weights of another storage, whatever stands beside them there; what stands beside them here stays.
  ///
  /// - Precondition: both have as many weights.
  /// - Complexity: O(count), bound by memory.
  public func copyWeights<Other: WeightCell>(of other: WeightStorage<Other>) {
    precondition(other.count == count)
    promote(other, 0..<count, to: 0)
  }

  /// Weight promotion (Jaskowski 2018, section III-D): a stage starts with the weights of the one before it instead of zeros.
  ///
  /// - Parameters:
  ///   - source: the weights of the earlier stage
  ///   - target: where those of the later one begin; its sums stay as they are
  /// - Precondition: both stages lie within this storage and do not overlap.
  /// - Complexity: O(source.count), bound by memory.
  public func promote(_ source: Range<Int>, to target: Int) {
    precondition(source.upperBound <= target || target + source.count <= source.lowerBound)
    promote(self, source, to: target)
  }

  private func promote<Other: WeightCell>(_ other: WeightStorage<Other>, _ source: Range<Int>, to target: Int) {
    precondition(source.lowerBound >= 0 && source.upperBound <= other.count)
    precondition(target >= 0 && target + source.count <= count)
    other.withWeights { earlier in
      withMutableWeights(of: target..<target + source.count) { BLAS.copy(earlier.extracting(source), &$0) }
    }
  }
}
