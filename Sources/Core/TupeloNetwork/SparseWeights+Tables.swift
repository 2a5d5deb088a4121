internal import TupeloTables

extension SparseWeights.Builder {
  /// Sets the weights of a table that are not zero, or that are negative zero.
  ///
  /// - Parameters:
  ///   - values: weights in the order of files
  ///   - start: the standard index of the first
  mutating func set(_ values: Span<Float>, from start: Int, by map: StorageMap) throws(WeightStorageError) {
    for index in values.indices where values[index].bitPattern != 0 { try set(values[index], at: map(start + index)) }
  }
}
