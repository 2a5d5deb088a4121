/// Writes small text files.
package enum TextFile {
  /// Writes a file, whole or not at all.
  ///
  /// - Throws: `SystemError` naming the file.
  package static func write(_ text: String, to path: String) throws(SystemError) {
    let file = try ReplacementFile(path: path)
    do throws(SystemError) {
      let bytes = Array(text.utf8)
      try file.append(unsafe bytes.span.bytes)
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }
}
