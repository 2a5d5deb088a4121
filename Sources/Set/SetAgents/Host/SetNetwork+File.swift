public import Safetensors
public import TupeloNetwork
internal import TupeloTables

/// Model files of Set networks. They have the format of n-tuple networks (see `ModelFile`) with a different line of
/// text and one table.
extension SetNetwork: StoredModel {
  /// Loads an open model file or the weights of a checkpoint.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError`, `CompactModelError` for a file that is damaged or not such a
  ///   model; `WeightStorageError` when it does not fit into memory.
  public convenience init(file: SafetensorsFile) throws {
    guard let specification = try SetSpecification(in: file) else {
      throw ModelFileError.badNetwork(path: file.path, reason: "it is of 2048, not of Set")
    }
    try self.init(specification, in: file)
  }

  /// Loads the weights of a file, whose header names the network `specification`.
  package convenience init(_ specification: SetSpecification, in file: SafetensorsFile) throws {
    var stored = try StoredWeights(file, tables: [specification.table])
    try self.init(specification)
    try weights.fill(&stored, as: specification.tableMap)
  }

  /// Writes a model file for play; see `NTupleNetwork.save`.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    try writer.write(to: path, format: format, metadata: metadata)
  }

  /// The bytes of the file that `save` would write, in memory; see `NTupleNetwork.bytes`.
  public func bytes(format: PlayFormat = .f32, metadata: [String: String] = [:]) throws -> [UInt8] {
    try writer.bytes(format: format, metadata: metadata)
  }

  private var writer: ModelWriter {
    ModelWriter(
      text: specification.canonicalText, usualStep: 0.0005,
      parts: [ModelWriter.Part(weights: weights, map: specification.tableMap)])
  }

  /// The identity of the model: 16 hex digits, a hash of its structure and of every weight.
  public var identity: String {
    var hash = WeightHash()
    for byte in specification.canonicalText.utf8 { hash.add(UInt32(byte)) }
    weights.reading { $0.add(to: &hash) }
    return hash.text
  }
}

extension SetSpecification {
  /// The layout of the weights in files.
  package var tableMap: TableMap { TableMap(plain: table, number: 0) }

  /// Reads the specification of a model file; `nil` for a network of another game.
  ///
  /// - Throws: `ModelFileError`.
  public init?(in file: SafetensorsFile) throws(ModelFileError) {
    let found = try ModelFile.network(in: file) { try SetSpecification(canonicalText: $0) }
    guard let found else { return nil }
    self = found
  }
}
