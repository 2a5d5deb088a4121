package import TupeloTables

/// Makes a network for play from the weights of a file.
package final class SparseNetworkBuilder {
  private var maps: RecentStorageMap
  private var weights: SparseWeights.Builder?

  /// - Throws: `WeightStorageError` if the map of all weights does not fit into memory.
  package init(_ specification: NetworkSpecification) throws(WeightStorageError) {
    weights = try SparseWeights.Builder(count: specification.weightCount)
    maps = RecentStorageMap(TupleIndexer(specification))
  }

  /// Sets weights of a table that are not zero.
  ///
  /// - Parameters:
  ///   - values: weights in the order of files
  ///   - start: the place of the first weight in the table
  package func set(_ values: Span<Float>, table number: Int, from start: Int) throws(WeightStorageError) {
    let map = maps.map(table: number)
    for index in values.indices where values[index].bitPattern != 0 {
      try weights?.set(values[index], at: map(start + index))
    }
  }

  /// The weights, once.
  ///
  /// - Parameter fillsStages: whether zero weights of later stages play as the weights of the previous stage
  fileprivate func finished(fillsStages: Bool) throws(WeightStorageError) -> SparseWeights {
    guard let weights = weights.take() else { preconditionFailure("the weights were taken before") }
    return fillsStages ? try weights.filled(fromBefore: indexer.specification.stageWeightCount) : weights.finished()
  }

  fileprivate var indexer: TupleIndexer { maps.indexer }
}

extension SparseNetwork {
  /// Takes the weights of a builder, which has been given all of them.
  ///
  /// - Parameter fillsStages: whether zero weights of later stages play as the weights of the previous stage
  package convenience init(_ builder: SparseNetworkBuilder, fillsStages: Bool) throws(WeightStorageError) {
    self.init(indexer: builder.indexer, weights: try builder.finished(fillsStages: fillsStages))
  }
}

/// The order in memory of the table that was used last.
struct RecentStorageMap {
  let indexer: TupleIndexer
  private var recent: (number: Int, map: StorageMap)?

  init(_ indexer: TupleIndexer) { self.indexer = indexer }

  mutating func map(table number: Int) -> StorageMap {
    if let recent, recent.number == number { return recent.map }
    let map = indexer.storageMap(table: number)
    recent = (number, map)
    return map
  }
}
