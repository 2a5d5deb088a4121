internal import Safetensors
internal import TupeloConfiguration
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// The tensors of a network in training in a checkpoint.
extension NetworkTraining {
  var tensors: [TensorDescription] {
    let map = indexer.tableMap
    return WeightStorage<Rule.Cell>.tensors(of: map)
      + (average == nil ? [] : WeightStorage<PlainCell>.tensors(of: map, prefix: ModelFile.averagePrefix))
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    try weights.write(tensor, of: indexer.tableMap, average: average, to: &sink)
  }

  func read(from file: SafetensorsFile) throws {
    try weights.read(from: file, as: indexer.tableMap)
    try average?.weights.read(from: file, as: indexer.tableMap, prefix: ModelFile.averagePrefix)
    weightsChanged()
  }

  func read(initial file: SafetensorsFile) throws {
    let other = try ModelDescription(in: file)
    var stored = try StoredWeights(file, tables: other.tables)
    guard let patterns = other.patterns else {
      throw TrainedModelError.otherGame(path: file.path, other.game, wanted: .twentyFortyEight)
    }
    try weights.read(initial: file, &stored, of: patterns, indexer: indexer)
    // A run that takes later stages from earlier ones, as the file's did, goes on with their zeros.
    if file.metadata[ModelFile.Key.filledStages] != nil, !configuration.fillsStages {
      weights.exclusively { $0.fillStages(of: indexer.specification) }
    }
    weightsChanged()
  }
}

extension WeightStorage {
  /// Writes a tensor if it belongs to the storage or its average.
  ///
  /// - Returns: whether it does.
  func write(
    _ tensor: TensorDescription, of map: TableMap, average: WeightAverage?, to sink: inout TensorSink
  ) throws -> Bool {
    if try write(tensor, of: map, to: &sink) { return true }
    guard let average else { return false }
    let prefix = ModelFile.averagePrefix
    // Until there is an average, the present weights are written in its place.
    return average.isEmpty
      ? try write(tensor, of: map, prefix: prefix, to: &sink)
      : try average.weights.write(tensor, of: map, prefix: prefix, to: &sink)
  }
}
