#if !hasFeature(Embedded)
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
#endif
