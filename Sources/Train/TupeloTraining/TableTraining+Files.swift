internal import Safetensors
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
package import TupeloTables

// The tables in checkpoints, the models for play, and statistics.

extension TableTraining {
  package var tensors: [TensorDescription] {
    WeightStorage<Rule.Cell>.tensors(of: map)
      + (average == nil ? [] : WeightStorage<PlainCell>.tensors(of: map, prefix: ModelFile.averagePrefix))
  }

  package func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    if try weights.write(tensor, of: map, to: &sink) { return true }
    guard let average else { return false }
    let prefix = ModelFile.averagePrefix
    // Until there is an average, the present weights are written instead.
    return average.isEmpty
      ? try weights.write(tensor, of: map, prefix: prefix, to: &sink)
      : try average.weights.write(tensor, of: map, prefix: prefix, to: &sink)
  }

  package func read(from file: SafetensorsFile) throws {
    if PortableState.isIn(file) {
      try weights.read(portable: file, as: map)
    } else {
      try weights.read(from: file, as: map)
      try average?.weights.read(from: file, as: map, prefix: ModelFile.averagePrefix)
    }
    weightsChanged()
  }

  package func read(initial file: SafetensorsFile, of model: ModelDescription) throws {
    try kind.read(initial: file, of: model, into: weights)
    weightsChanged()
  }

  package func model(isCopy: Bool) throws -> TrainedModel {
    try kind.model { try played(isCopy: isCopy) }
  }

  /// The weights for play: the average if there is one, otherwise a copy of the weights.
  ///
  /// - Parameter isCopy: whether the average is copied, too, so that the result may be changed
  package func played(isCopy: Bool) throws(WeightStorageError) -> WeightStorage<PlainCell> {
    let average = average.flatMap { $0.isEmpty ? nil : $0 }
    if let average, !isCopy, kind.filled == nil { return average.snapshot() }
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    copy.exclusively { copy in
      if let average {
        average.weights.reading { copy.copyWeights(of: $0) }
      } else {
        weights.reading { copy.copyWeights(of: $0) }
      }
      if let filled = kind.filled { copy.fillStages(of: filled) }
    }
    return copy
  }

  package func diagnostics() -> [TableDiagnostics] {
    var start = 0
    return weights.reading { weights in
      tables.map { table in
        defer { start += table.size }
        return weights.diagnostics(start..<start + table.size)
      }
    }
  }

  package func updateNorm(since look: inout UpdateNorm?) -> Double? {
    weights.reading { weights in
      guard look != nil else {
        look = UpdateNorm(weights)
        return nil
      }
      return look?.advance(weights)
    }
  }
}
