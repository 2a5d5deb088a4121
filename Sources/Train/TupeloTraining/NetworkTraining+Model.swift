internal import TupeloLearning
internal import TupeloModels
package import TupeloNetwork
package import TupeloTables

/// Copies of the network to play with, and statistics of its weights.
extension NetworkTraining {
  func model(isCopy: Bool) throws(WeightStorageError) -> TrainedModel {
    .board(.network(try network(isCopy: isCopy)))
  }

  package func network(isCopy: Bool) throws(WeightStorageError) -> NTupleNetwork {
    let copy = try weights.snapshot(average: average, isCopy: isCopy || configuration.fillsStages)
    if configuration.fillsStages { copy.exclusively { $0.fillStages(of: indexer.specification) } }
    return NTupleNetwork(indexer: indexer, weights: copy)
  }

  func diagnostics() -> [TableDiagnostics] {
    weights.exclusively { weights in indexer.tables.map { weights.diagnostics($0) } }
  }

  func updateNorm(since look: inout UpdateNorm?) -> Double? { weights.updateNorm(since: &look) }
}

extension WeightStorage {
  /// The weights to play with: the average if there is one, else a copy of the weights.
  ///
  /// - Parameter isCopy: whether the average is copied, too, so that the result may be changed
  func snapshot(average: WeightAverage?, isCopy: Bool) throws(WeightStorageError) -> WeightStorage<PlainCell> {
    if let average, !average.isEmpty, !isCopy { return average.snapshot() }
    let copy = try WeightStorage<PlainCell>(count: count)
    copy.exclusively { copy in
      if let average, !average.isEmpty {
        average.weights.exclusively { copy.copyWeights(of: $0) }
      } else {
        exclusively { copy.copyWeights(of: $0) }
      }
    }
    return copy
  }

  /// The norm of the weights' change since the last look, and a new look; `nil` for the first look.
  func updateNorm(since look: inout UpdateNorm?) -> Double? {
    exclusively { weights in
      guard look != nil else {
        look = UpdateNorm(weights)
        return nil
      }
      return look?.advance(weights)
    }
  }
}
