/// Safe display of foreign text. It stands for the type of the same name, which also suggests words, and which knows
/// all of Unicode.
package enum Spelling {
  /// Words as a list in a sentence: `a, b or c`.
  package static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Foreign text for one line: `?` for control characters, and cut after `limit` scalars.
  package static func printable(_ text: String, limit: Int = 100) -> String {
    let shown = text.unicodeScalars.prefix(limit).map { isPrintable($0) ? $0 : "?" }
    return String(String.UnicodeScalarView(shown)) + (shown.count < text.unicodeScalars.count ? "..." : "")
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value)
  }
}
