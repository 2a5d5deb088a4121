package import Safetensors

extension NTupleNetwork {
  /// Writes a play-only model: weights and metadata, no training state. The file appears whole or not at all.
  ///
  /// Memory: a buffer. The format `compact` also needs the compressed tables, and the map and bytes of one table.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which is replaced if it exists
  ///   - format: how the file stores the weights
  ///   - metadata: more entries to write into the file; the model's own keys win.
  /// - Throws: `SystemError` when the file cannot be written; `ModelFileError` for a weight that is not finite or
  ///   beyond `ModelFile.largestWeight`; `CompactModelError` for a step that is too fine, or that leaves no weight.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    try writer.write(to: path, format: format, metadata: metadata)
  }

  /// The bytes of the file that `save` would write, in memory. `init(bytes:name:)` reads them.
  ///
  /// Memory: the bytes, and what `save` needs.
  ///
  /// - Parameters:
  ///   - format: how the weights are stored
  ///   - metadata: more entries; the model's own keys win.
  /// - Throws: the errors of `save`, but `SystemError`
  public func bytes(format: PlayFormat = .f32, metadata: [String: String] = [:]) throws -> [UInt8] {
    try writer.bytes(format: format, metadata: metadata)
  }

  /// The step of a compact file for which none is given; see `PlayFormat.compact`.
  ///
  /// - Parameter path: the file, for errors
  public func compactStep(path: String) throws -> Float { try writer.compactStep(path: path) }

  var writer: ModelWriter {
    ModelWriter(
      text: specification.canonicalText, usualStep: 16,
      parts: [ModelWriter.Part(weights: weights, map: indexer.tableMap)])
  }
}

extension NetworkSpecification {
  /// The tensors of a model file in single precision, in the order of `tables`.
  package var tensors: [TensorDescription] { StoredWeights.tensors(tables, type: .f32) }

  /// The metadata of a model file in single precision.
  package var fileMetadata: [String: String] { ModelFile.metadata(for: canonicalText) }
}
