#if !hasFeature(Embedded)
public import Safetensors
internal import TupeloTables

extension SparseNetwork: StoredModel {
  /// Loads the weights of an open model file or checkpoint, as `NTupleNetwork.init(file:)` does.
  ///
  /// Memory: four bytes for each weight of the blocks of 32 that have one that is not zero, and an eighth of a byte for
  /// each weight of the network. While a compact file is read, one of its tables in its own form comes on top.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError` for a file that is damaged or not a model;
  ///   `WeightStorageError` when it does not fit into memory.
  public convenience init(file: SafetensorsFile) throws {
    let specification = try ModelFile.specification(in: file)
    var stored = try StoredWeights(file, tables: specification.tables)
    let indexer = TupleIndexer(specification)
    var weights = try SparseWeights.Builder(count: specification.weightCount)
    file.adviseSequential()
    try stored.forEachStretch(by: indexer) { values, start, map in try weights.set(values, from: start, by: map) }
    self.init(
      indexer: indexer,
      weights: file.metadata[ModelFile.Key.filledStages] != nil
        ? try weights.filled(fromBefore: specification.stageWeightCount) : weights.finished())
  }

  /// The memory that the weights of a model file take, in bytes, found without taking it.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError`, as loading does.
  public static func byteCount(of file: SafetensorsFile) throws -> Int {
    let specification = try ModelFile.specification(in: file)
    var stored = try StoredWeights(file, tables: specification.tables)
    var size = SparseSize(count: specification.weightCount)
    try stored.forEachStretch(by: TupleIndexer(specification)) { values, start, map in
      for index in values.indices where values[index].bitPattern != 0 { size.note(map(start + index)) }
    }
    // Whole blocks are shared with the stage before. Where stages are no whole blocks, the network is tiny.
    let stage = specification.stageWeightCount
    if file.metadata[ModelFile.Key.filledStages] != nil, !SparseSize.sharesBlocks(distance: stage) {
      size.noteAll(from: stage)
    }
    return size.byteCount
  }
}
#endif
