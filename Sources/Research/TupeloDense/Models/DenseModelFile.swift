public import Safetensors
internal import TupeloBase
internal import TupeloModels
public import TupeloNetwork
internal import TupeloTables

/// Model files of dense networks. They have the format of n-tuple networks (see `ModelFile`) with a different line of
/// text and two tables.
///
/// `weights.0` holds the rows of the embedding, in the order of the encoder's features. `weights.1` holds all other
/// parameters in the order of `DenseSpecification.tensors`. Tables end with zeros up to a multiple of eight
/// numbers, and of 2^16 if they are longer.
extension DenseModelSpecification {
  /// The tables of a file: the embedding, and the layers behind it.
  public var tables: [NetworkTable] {
    let rows = network.embeddingRange.count
    let width = network.embedding?.rowWidth ?? 1
    return [
      NetworkTable(name: "embedding", axes: Self.padded(rows) == rows ? [rows / width, width] : [Self.padded(rows)]),
      NetworkTable(name: "layers", axes: [Self.padded(network.parameterCount - rows)]),
    ]
  }

  /// The parameters of each table.
  package var tableRanges: [Range<Int>] {
    let rows = network.embeddingRange
    return [rows, rows.upperBound..<network.parameterCount]
  }

  /// Files are read and written in pieces of 2^16 numbers, and in bytes of eight flags each.
  private static func padded(_ count: Int) -> Int {
    let piece = count <= 1 << 16 ? 8 : 1 << 16
    return (count + piece - 1) / piece * piece
  }

  /// The tensors of the parameters in a checkpoint.
  package func tensors(prefix: String = "") -> [TensorDescription] {
    tables.enumerated().map { TensorDescription(name: "\(prefix)weights.\($0)", type: .f32, shape: $1.axes) }
  }

  /// Writes a tensor if it is one of `tensors(prefix:)`.
  ///
  /// - Returns: whether it is such a tensor
  package func write(
    _ tensor: TensorDescription, prefix: String = "", _ parameters: borrowing FloatStorage, to sink: inout TensorSink
  ) throws -> Bool {
    guard let number = tensors(prefix: prefix).firstIndex(of: tensor) else { return false }
    let range = tableRanges[number]
    try parameters.withSpan { span in
      try ModelFile.check(weights: span.extracting(range), from: 0, name: tensor.name, path: sink.path)
      try sink.write(span.extracting(range))
    }
    let padding = [Float](repeating: 0, count: tables[number].size - range.count)
    if !padding.isEmpty { try sink.write(padding.span) }
    return true
  }

  /// Fills the parameters from a file of any format. If the file has averaged weights, they are used.
  ///
  /// - Throws: `ModelFileError`, `CompactModelError`, `SafetensorsError`.
  package func read(_ file: SafetensorsFile, into parameters: inout FloatStorage) throws {
    var stored = try StoredWeights(file, tables: tables)
    try read(into: &parameters) { try stored.copy(table: $0, range: $1, into: &$2) }
  }

  /// Fills the parameters from the tensors `tensors(prefix:)` of a checkpoint.
  package func read(_ file: SafetensorsFile, prefix: String, into parameters: inout FloatStorage) throws {
    let tensors = tensors(prefix: prefix)
    for tensor in tensors { try file.header.checked(tensor) }
    try read(into: &parameters) { number, range, values in
      try file.copy(tensors[number].name, range: range, into: &values)
      try ModelFile.check(
        weights: values.span, from: range.lowerBound, name: tensors[number].name, path: file.path)
    }
  }

  private func read(
    into parameters: inout FloatStorage, _ copy: (Int, Range<Int>, inout MutableSpan<Float>) throws -> Void
  ) throws {
    for (number, table) in tables.enumerated() {
      let range = tableRanges[number]
      var values = [Float](repeating: 0, count: min(1 << 16, table.size))
      for start in stride(from: 0, to: table.size, by: values.count) {
        let end = min(start + values.count, table.size)
        if end - start < values.count { values = [Float](repeating: 0, count: end - start) }
        var span = values.mutableSpan
        try copy(number, start..<end, &span)
        let own = range.lowerBound + start..<min(range.lowerBound + end, range.upperBound)
        parameters.withMutableSpan(of: own) { for index in $0.indices { $0[index] = values[index] } }
      }
    }
  }

  /// Reads the specification of a model file; `nil` for another kind of network.
  ///
  /// - Parameter kinds: the allowed features
  /// - Throws: `ModelFileError`.
  public init?(in file: SafetensorsFile, of kinds: [any DenseFeatures.Type]) throws(ModelFileError) {
    let found = try ModelFile.network(in: file) { try DenseModelSpecification(canonicalText: $0, of: kinds) }
    guard let found else { return nil }
    self = found
  }
}

extension DenseModel {
  /// Loads a model file or the weights of a checkpoint.
  ///
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError`, `CompactModelError` for a file that is missing,
  ///   damaged or not such a model; `DenseError` when it does not fit into memory.
  public convenience init(file: SafetensorsFile) throws {
    guard let specification = try DenseModelSpecification(in: file, of: [Encoder.Features.self]),
      let features = specification.features.base as? Encoder.Features
    else { throw ModelFileError.badNetwork(path: file.path, reason: "it is of another game or kind") }
    try self.init(file, specification, encoder: features.makeEncoder())
  }

  convenience init(_ file: SafetensorsFile, _ specification: DenseModelSpecification, encoder: Encoder) throws {
    var parameters = try FloatStorage(count: specification.network.parameterCount)
    try specification.read(file, into: &parameters)
    self.init(
      specification, encoder: encoder, network: DenseNetwork(specification.network, parameters: parameters))
  }

  /// Writes a model file for play; see `NTupleNetwork.save`. In the compact format a step is in units of the network,
  /// not in score points.
  ///
  /// - Complexity: one pass over the parameters, and a copy of them in memory
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    try writer().write(to: path, format: format, metadata: metadata)
  }

  /// The bytes of the file that `save` would write, in memory; see `NTupleNetwork.bytes`.
  public func bytes(format: PlayFormat = .f32, metadata: [String: String] = [:]) throws -> [UInt8] {
    try writer().bytes(format: format, metadata: metadata)
  }

  private func writer() throws -> ModelWriter {
    let parts = try zip(specification.tables, specification.tableRanges).enumerated().map { number, table in
      let weights = try WeightStorage<PlainCell>(count: table.0.size)
      network.parameters.withSpan { parameters in
        weights.exclusively { weights in
          weights.withMutableWeights { copy in
            for (place, index) in table.1.enumerated() { copy[place] = parameters[index] }
          }
        }
      }
      return ModelWriter.Part(weights: weights, map: TableMap(plain: table.0, number: number))
    }
    return ModelWriter(text: specification.canonicalText, usualStep: 0.001, parts: parts)
  }
}
