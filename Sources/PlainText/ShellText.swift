/// Words as a POSIX shell reads them.
package enum ShellText {
  /// A command that a shell splits into these very words.
  package static func command(_ words: [String]) -> String {
    words.map(word).joined(separator: " ")
  }

  /// A word as it is where every shell takes it for itself, else in single quotes.
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
