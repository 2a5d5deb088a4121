public import Safetensors

/// Reads which network a file contains.
extension ModelFile {
  /// Reads the network's line of a file and checks it against the fingerprint.
  ///
  /// - Parameter game: the name of a game that the program defines itself; `nil` for the games of this package
  /// - Throws: `ModelFileError`.
  package static func text(in file: SafetensorsFile, game: String? = nil) throws(ModelFileError) -> String {
    guard let format = file.metadata[Key.format].flatMap({ Int($0) }) else { throw .notAModel(path: file.path) }
    guard format >= 1 else { throw .badFormat(path: file.path, found: format) }
    guard format <= formatVersion else {
      throw .newerFormat(path: file.path, found: format, supported: formatVersion)
    }
    if let found = file.metadata[Key.game], found != game { throw .otherGame(path: file.path, game: found) }
    guard let text = file.metadata[Key.network] else { throw .notAModel(path: file.path) }
    let (found, expected) = (file.metadata[Key.fingerprint] ?? "none", fingerprint(of: text))
    guard found == expected else {
      throw ModelFileError.wrongFingerprint(path: file.path, found: found, expected: expected)
    }
    return text
  }

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
    let text = try text(in: file)
    do {
      return try read(text)
    } catch {
      throw .badNetwork(path: file.path, reason: "\(error)")
    }
  }
}
