/// Writes small files.
package enum TextFile {
  /// Writes a file, whole or not at all.
  ///
  /// - Parameter followsLink: whether a symbolic link at `path` is followed; otherwise the link is replaced
  /// - Throws: `SystemError` naming the file.
  package static func write(_ text: String, to path: String, followsLink: Bool = true) throws(SystemError) {
    try write(Array(text.utf8), to: path, followsLink: followsLink)
  }

  /// Writes a file of bytes, whole or not at all.
  ///
  /// - Throws: `SystemError` naming the file.
  package static func write(_ bytes: [UInt8], to path: String, followsLink: Bool = true) throws(SystemError) {
    let file = try ReplacementFile(path: path, followsLink: followsLink)
    do throws(SystemError) {
      try file.append(unsafe bytes.span.bytes)
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }
}
