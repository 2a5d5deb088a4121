internal import Safetensors
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// One bit for each weight of a network, which is set if the weight is not zero in a model. A run that fine-tunes a
/// pruned model resets all other weights to zero at intervals, so that its result is as small as the model.
struct KeptWeights {
  /// Bits by storage index.
  private var bits: [UInt64]

  /// - Parameters:
  ///   - path: a model file of the network
  ///   - specification: the network
  /// - Throws: `ModelFileError.otherNetwork` for a model of another network; the errors of
  ///   `NTupleNetwork.init(file:)`.
  init(of path: String, specification: NetworkSpecification) throws {
    let file = try SafetensorsFile(path: path)
    let other = try ModelDescription(in: file)
    guard other == .network(specification) else {
      throw ModelFileError.otherNetwork(
        path: path, network: other.canonicalText, wanted: specification.canonicalText)
    }
    let network = try NTupleNetwork(file: file)
    bits = [UInt64](repeating: 0, count: (specification.weightCount + 63) / 64)
    network.weights.exclusively { weights in
      weights.withWeights { weights in
        for index in weights.indices where weights[index] != 0 { bits[index >> 6] |= 1 << UInt64(index & 63) }
      }
    }
  }

  /// Sets all other weights to zero.
  ///
  /// - Complexity: one pass over the weights
  func prune<Cell: WeightCell>(_ weights: inout ExclusiveWeights<Cell>) {
    weights.withMutableWeights { weights in
      precondition(weights.count <= bits.count * 64)
      for index in weights.indices where bits[index >> 6] >> UInt64(index & 63) & 1 == 0 { weights[index] = 0 }
    }
  }
}
