public import Safetensors

extension NTupleNetwork {
  /// Loads the weights of a model file or a checkpoint; training state in it is left alone. Of a
  /// checkpoint with averaged weights, those are loaded.
  ///
  /// Memory: four bytes per weight, 268 MB for 4x6.
  ///
  /// - Throws: `SafetensorsError` or `ModelFileError` for a file that is missing, damaged or no model;
  ///   `WeightStorageError` when it does not fit.
  public convenience init(path: String) throws {
    try self.init(file: SafetensorsFile(path: path))
  }

  public convenience init(file: SafetensorsFile) throws {
    try self.init(ModelFile.specification(in: file))
    file.adviseSequential()
    let hasAverage = file.tensor(named: ModelFile.averagePrefix + "weights.0") != nil
    try weights.read(
      from: file, indexer: indexer, prefix: hasAverage ? ModelFile.averagePrefix : "", onlyWeights: true)
    if file.metadata[ModelFile.Key.filledStages] != nil { weights.fillStages(of: specification) }
  }

  /// Writes a play-only model: weights and metadata, no training state. The file appears whole or not at all.
  public func save(to path: String, metadata: [String: String] = [:]) throws {
    let all = metadata.merging(ModelFile.metadata(for: specification)) { $1 }
    try SafetensorsWriter.write(
      to: path, metadata: all, tensors: WeightStorage<PlainCell>.tensors(of: specification)
    ) { tensor, sink in
      _ = try weights.write(tensor, indexer: indexer, to: &sink)
    }
  }
}
