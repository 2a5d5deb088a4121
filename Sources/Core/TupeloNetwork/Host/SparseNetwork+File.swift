public import Safetensors
internal import TupeloTables

extension SparseNetwork: StoredModel {
  /// Loads the weights of an open model file or checkpoint, as `NTupleNetwork.init(file:)` does.
  ///
  /// Memory: four bytes for each weight of a block of 32 weights that are not all zero, and an eighth of a byte for
  /// each weight of the network. Reading a compact file needs one of its tables in compact form in addition.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError` for a file that is damaged or not a model;
  ///   `WeightStorageError` when it does not fit into memory.
  public convenience init(file: SafetensorsFile) throws {
    let specification = try ModelFile.specification(in: file)
    var stored = try StoredWeights(file, tables: specification.tables)
    let builder = try SparseNetworkBuilder(specification)
    file.adviseSequential()
    try stored.forEachStretch { values, table, start in try builder.set(values, table: table, from: start) }
    try self.init(builder, fillsStages: file.metadata[ModelFile.Key.filledStages] != nil)
  }

  /// The memory that the weights of a model file will take, in bytes. The method does not load them.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError`, as loading does.
  public static func byteCount(of file: SafetensorsFile) throws -> Int {
    let specification = try ModelFile.specification(in: file)
    var stored = try StoredWeights(file, tables: specification.tables)
    var size = SparseSize(count: specification.weightCount)
    var maps = RecentStorageMap(TupleIndexer(specification))
    try stored.forEachStretch { values, table, start in
      let map = maps.map(table: table)
      for index in values.indices where values[index].bitPattern != 0 { size.note(map(start + index)) }
    }
    // Whole blocks are shared with the previous stage. Only tiny networks have stages that are not whole blocks.
    let stage = specification.stageWeightCount
    if file.metadata[ModelFile.Key.filledStages] != nil, !SparseSize.sharesBlocks(distance: stage) {
      size.noteAll(from: stage)
    }
    return size.byteCount
  }
}
