/// Names of runs and files, which have only letters, digits and `. _ + -`.
package enum NameText {
  /// Whether a byte is allowed in a name.
  package static func isFit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ".+_-".utf8.contains(byte)
    }
  }

  /// A name from the beginning of a text, with `-` for every byte that is not allowed.
  package static func fit(_ text: String, limit: Int) -> String {
    String(decoding: text.utf8.prefix(limit).map { isFit($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
  }

  /// The beginning of a name, of at most a number of bytes, without half a letter at its end.
  package static func beginning(of name: some StringProtocol, bytes: Int) -> String {
    var beginning = String(name)
    while beginning.utf8.count > bytes { beginning.unicodeScalars.removeLast() }
    return beginning
  }
}
