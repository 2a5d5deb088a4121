/// Quotes words for a POSIX shell.
package enum ShellText {
  /// A command that a shell splits into exactly these words.
  package static func command(_ words: [String]) -> String {
    words.map(word).joined(separator: " ")
  }

  /// A word unchanged if every shell reads it literally, otherwise in single quotes.
  package static func word(_ text: String) -> String {
    guard text.isEmpty || !text.utf8.allSatisfy(isPlain) else { return text }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "._+-/:,@%=".utf8.contains(byte)
    }
  }
}
