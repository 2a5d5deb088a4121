internal import Safetensors
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// What a checkpoint holds of a network in training.
extension NetworkTraining {
  var tensors: [TensorDescription] {
    var tensors = WeightStorage<Rule.Cell>.tensors(of: indexer.specification)
    if average != nil { tensors += averageTensors }
    if let states { tensors.append(states.tensor) }
    return tensors + visits.map(\.tensor)
  }

  private var averageTensors: [TensorDescription] {
    WeightStorage<PlainCell>.tensors(of: indexer.specification, prefix: ModelFile.averagePrefix)
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws {
    if let table = visits.first(where: { $0.tensor == tensor }) { return try table.write(to: &sink) }
    if let states, tensor == states.tensor { return try states.write(to: &sink) }
    if let average, averageTensors.contains(tensor) {
      let prefix = ModelFile.averagePrefix
      // Until there is an average, the weights as they are stand in for it.
      _ =
        average.isEmpty
        ? try weights.write(tensor, indexer: indexer, prefix: prefix, to: &sink)
        : try average.weights.write(tensor, indexer: indexer, prefix: prefix, to: &sink)
      return
    }
    _ = try weights.write(tensor, indexer: indexer, to: &sink)
  }

  func read(from file: SafetensorsFile, countsVisits: Bool) throws {
    try weights.read(from: file, indexer: indexer)
    try states?.read(from: file)
    try average?.weights.read(from: file, indexer: indexer, prefix: ModelFile.averagePrefix)
    guard countsVisits else { return }
    for table in visits { try table.read(from: file) }
  }

  func read(initial file: SafetensorsFile) throws {
    try weights.read(initial: file, indexer: indexer)
    if try ModelFile.specification(in: file).stateBits == indexer.specification.stateBits {
      try states?.read(from: file)
    }
  }
}
