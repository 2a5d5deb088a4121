package import Safetensors
internal import TupeloBase

/// Reads the weights of a model file that play uses. If play replaces zero weights of later stages, such a weight is
/// the weight of the previous stage.
///
/// Memory: that of `StoredWeights`, and a range for each earlier stage. If zeros are replaced, all tables of a compact
/// file stay unpacked, because later stages read them again.
package struct FilledWeights {
  private var stored: StoredWeights
  /// The distance to the table of the previous stage; `nil` if zeros are not replaced.
  private let tablesPerStage: Int?

  /// - Parameter stages: the number of stages of the network, each with equally many `tables`
  /// - Throws: `ModelFileError`, `CompactModelError`.
  package init(_ file: SafetensorsFile, tables: [NetworkTable], stages: Int) throws {
    tablesPerStage = file.metadata[ModelFile.Key.filledStages] == nil ? nil : tables.count / stages
    stored = try StoredWeights(file, tables: tables, keepsTables: tablesPerStage != nil)
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
