public import Safetensors
internal import TupeloTables

extension NTupleNetwork {
  /// Loads the weights of a model file or a checkpoint; training state in it is left alone. Of a
  /// checkpoint with averaged weights, those are loaded.
  ///
  /// Memory: four bytes per weight, 268 MB for 4x6; while a compact file is read, up to four bytes more per weight kept in one of its
  /// tables, and an eighth of a byte per weight of that table.
  ///
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError` or `CompactModelError` for a file that is missing,
  ///   damaged or no model; `WeightStorageError` when it does not fit.
  public convenience init(path: String) throws {
    try self.init(file: SafetensorsFile(path: path))
  }

  public convenience init(file: SafetensorsFile) throws {
    var stored = try StoredWeights(file)
    try self.init(stored.specification)
    file.adviseSequential()
    try states?.read(from: file)
    for (number, table) in specification.tables.enumerated() {
      let position = indexer.storageMap(table: number)
      var values = [Float](repeating: 0, count: min(1 << 16, table.size))
      for start in stride(from: 0, to: table.size, by: values.count) {
        let range = start..<start + values.count
        var span = values.mutableSpan
        try stored.copy(table: number, range: range, into: &span)
        weights.exclusively { weights in
          weights.withMutableWeights { position.scatter(values.span, width: 1, word: 0, from: start, into: &$0) }
        }
      }
    }
    if file.metadata[ModelFile.Key.filledStages] != nil { weights.exclusively { $0.fillStages(of: specification) } }
  }
}
