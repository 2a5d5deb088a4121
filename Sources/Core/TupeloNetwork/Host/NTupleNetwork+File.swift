public import Safetensors
internal import TupeloTables

extension NTupleNetwork: StoredModel {
  /// Loads the weights of an open model file or checkpoint. Training state is ignored. If a checkpoint has averaged
  /// weights, those are loaded.
  ///
  /// Memory: four bytes per weight, 268 MB for 4x6. A compact file needs more while it is read: up to four bytes per
  /// weight kept in one of its tables, and an eighth of a byte per weight of that table.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError` for a file that is damaged or not a model;
  ///   `WeightStorageError` when it does not fit into memory.
  public convenience init(file: SafetensorsFile) throws {
    try self.init(ModelFile.specification(in: file), in: file)
  }

  /// Loads the weights of a file, whose header names the network `specification`.
  package convenience init(_ specification: NetworkSpecification, in file: SafetensorsFile) throws {
    var stored = try StoredWeights(file, tables: specification.tables)
    try self.init(specification)
    file.adviseSequential()
    try weights.fill(&stored, as: indexer.tableMap)
    if file.metadata[ModelFile.Key.filledStages] != nil { weights.exclusively { $0.fillStages(of: specification) } }
  }
}
