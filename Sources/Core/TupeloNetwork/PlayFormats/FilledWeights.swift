#if !hasFeature(Embedded)
package import Safetensors

/// Reads the weights of a model file as they play: in a checkpoint whose later stages play as earlier ones where they
/// are zero, such a weight is that of the stage before.
///
/// Memory: as `StoredWeights`, and a range for each stage before.
package struct FilledWeights {
  private var stored: StoredWeights
  /// How far back the table of the stage before lies; `nil` where zeros are zeros.
  private let tablesPerStage: Int?

  /// - Parameter stages: into how many stages of equally many `tables` the network is divided
  /// - Throws: `ModelFileError`, `CompactModelError`.
  package init(_ file: SafetensorsFile, tables: [NetworkTable], stages: Int) throws {
    stored = try StoredWeights(file, tables: tables)
    tablesPerStage = file.metadata[ModelFile.Key.filledStages] == nil ? nil : tables.count / stages
  }

  /// Copies a range of a table's weights; see `StoredWeights.copy(table:range:into:)`.
  package mutating func copy(table number: Int, range: Range<Int>, into values: inout MutableSpan<Float>) throws {
    try stored.copy(table: number, range: range, into: &values)
    guard let tablesPerStage, number >= tablesPerStage, values.indices.contains(where: { values[$0] == 0 }) else {
      return
    }
    var before = [Float](repeating: 0, count: range.count)
    var span = before.mutableSpan
    try copy(table: number - tablesPerStage, range: range, into: &span)
    for index in values.indices where values[index] == 0 { values[index] = before[index] }
  }
}
#endif
