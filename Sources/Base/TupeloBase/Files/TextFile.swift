/// Writes small files.
package enum TextFile {
  /// Writes a file, whole or not at all.
  ///
  /// - Throws: `SystemError` naming the file.
  package static func write(_ text: String, to path: String) throws(SystemError) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes a file of bytes, whole or not at all.
  ///
  /// - Throws: `SystemError` naming the file.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let file = try ReplacementFile(path: path)
    do throws(SystemError) {
      try file.append(unsafe bytes.span.bytes)
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }
}
