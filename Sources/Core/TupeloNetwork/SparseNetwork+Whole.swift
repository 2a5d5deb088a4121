package import TupeloTables

extension SparseNetwork {
  /// Copies the weights of a network that are not zero. No thread may change them during the call.
  ///
  /// - Throws: `WeightStorageError` when they do not fit into memory.
  package convenience init(_ network: NTupleNetwork) throws(WeightStorageError) {
    var weights = try SparseWeights.Builder(count: network.weights.count)
    for index in 0..<network.weights.count {
      let weight = network.weights.weight(at: index)
      if weight.bitPattern != 0 { try weights.set(weight, at: index) }
    }
    self.init(indexer: network.indexer, weights: weights.finished())
  }
}
