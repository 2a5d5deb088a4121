package import TupeloTables

extension TupleIndexer {
  /// Copies weights of a table out of storage, in the order of files.
  ///
  /// - Parameters:
  ///   - number: the number of the table; see `NetworkSpecification.tables`
  ///   - weights: the weights of a network with this structure
  ///   - start: the standard index of the first weight, a multiple of 4096
  ///   - values: receives the weights. Their number is a multiple of 4096, unless the table is smaller
  /// - Precondition: no worker shares the storage.
  package func copy<Cell: WeightCell>(
    table number: Int, of weights: WeightStorage<Cell>, from start: Int, into values: inout [Float]
  ) {
    weights.reading { weights in
      weights.withWeights { storageMap(table: number).gather($0, width: 1, word: 0, from: start, into: &values) }
    }
  }
}
