/// Names of runs and files: letters, digits and `. _ + -` alone.
package enum NameText {
  /// Whether a name may have the byte.
  package static func isFit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ".+_-".utf8.contains(byte)
    }
  }

  /// The beginning of a text as a name, with `-` for every byte that no name may have.
  package static func fit(_ text: String, limit: Int) -> String {
    String(decoding: text.utf8.prefix(limit).map { isFit($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
  }
}
