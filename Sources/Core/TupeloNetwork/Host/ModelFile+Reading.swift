public import Safetensors

/// Reads which network a file contains.
extension ModelFile {
  /// Reads which n-tuple network a file holds.
  ///
  /// - Throws: `ModelFileError`.
  public static func specification(in file: SafetensorsFile) throws(ModelFileError) -> NetworkSpecification {
    try network(in: file) { try NetworkSpecification(canonicalText: $0) }
  }

  /// Reads which network a file holds.
  ///
  /// - Parameter read: reads the network's line
  /// - Throws: `ModelFileError`, which has the text of an error of `read`.
  package static func network<Network>(
    in file: SafetensorsFile, _ read: (String) throws -> Network
  ) throws(ModelFileError) -> Network {
    let text = try text(in: file.header)
    do {
      return try read(text)
    } catch {
      throw .badNetwork(path: file.path, reason: "\(error)")
    }
  }
}
