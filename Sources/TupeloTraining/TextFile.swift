internal import Safetensors

/// Small text files.
enum TextFile {
  /// Writes a file, whole or not at all.
  ///
  /// - Throws: `SafetensorsError` naming the file.
  static func write(_ text: String, to path: String) throws(SafetensorsError) {
    let file = try ReplacementFile(path: path)
    do throws(SafetensorsError) {
      let bytes = Array(text.utf8)
      try file.append(unsafe bytes.span.bytes)
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
  }
}
