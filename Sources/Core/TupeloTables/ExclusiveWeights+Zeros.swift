extension ExclusiveWeights {
  /// Fixes all weights that are zero. An infinite A makes the rate |E| / A of temporal coherence 0, whatever the errors
  /// are, so the workers need not know which weights are fixed.
  ///
  /// - Precondition: cells have the two sums of temporal coherence.
  package mutating func fixZeros() {
    precondition(Cell.sumCount == 2)
    let storage = withStorage { $0 }
    withMutableSums { sums in
      for index in 0..<storage.count where storage.weight(at: index) == 0 { sums[2 * index + 1] = .infinity }
    }
  }
}
