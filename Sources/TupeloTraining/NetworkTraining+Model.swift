internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// What training shows of the network: a copy to play with, and figures about its weights.
extension NetworkTraining {
  func network() throws(WeightStorageError) -> NTupleNetwork {
    if let average, !average.isEmpty, !configuration.fillsStages {
      return NTupleNetwork(indexer: indexer, weights: average.snapshot(), states: states)
    }
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    copy.exclusively { copy in
      if let average, !average.isEmpty {
        average.weights.exclusively { copy.copyWeights(of: $0) }
      } else {
        weights.exclusively { copy.copyWeights(of: $0) }
      }
      if configuration.fillsStages { copy.fillStages(of: indexer.specification) }
    }
    return NTupleNetwork(indexer: indexer, weights: copy, states: states)
  }

  func diagnostics() -> [TableDiagnostics] {
    weights.exclusively { weights in indexer.tables.map { weights.diagnostics($0) } }
  }

  func updateNorm(since look: inout UpdateNorm?) -> Double? {
    weights.exclusively { weights in
      guard look != nil else {
        look = UpdateNorm(weights)
        return nil
      }
      return look?.advance(weights)
    }
  }
}
