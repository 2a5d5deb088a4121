public import Safetensors
internal import TupeloTables

extension SparseNetwork {
  /// Loads the weights of a model file or a checkpoint, as `NTupleNetwork.init(path:)` does.
  ///
  /// Memory: four bytes for each weight of the blocks of 32 that have one that is not zero, and an eighth of a byte for
  /// each weight of the network. While a compact file is read, one of its tables in its own form comes on top.
  ///
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError` or `CompactModelError` for a file that is missing,
  ///   damaged or no model; `WeightStorageError` when it does not fit into memory.
  public convenience init(path: String) throws {
    try self.init(file: SafetensorsFile(path: path))
  }

  public convenience init(file: SafetensorsFile) throws {
    let specification = try ModelFile.specification(in: file)
    var stored = try StoredWeights(file, tables: specification.tables)
    let indexer = TupleIndexer(specification)
    var weights = try SparseWeights.Builder(count: specification.weightCount)
    file.adviseSequential()
    for (number, table) in specification.tables.enumerated() {
      let count = min(1 << 16, table.size)
      var values = [Float](repeating: 0, count: count)
      let map = indexer.storageMap(table: number)
      for start in stride(from: 0, to: table.size, by: count) {
        var span = values.mutableSpan
        try stored.copy(table: number, range: start..<start + count, into: &span)
        try weights.set(values.span, from: start, by: map)
      }
    }
    let fillsStages = file.metadata[ModelFile.Key.filledStages] != nil
    self.init(
      indexer: indexer,
      weights: fillsStages
        ? try weights.filled(fromBefore: specification.stageWeightCount) : weights.finished())
  }
}
