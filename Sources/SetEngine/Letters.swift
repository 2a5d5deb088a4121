// What texts from outside need of Unicode. The engine of a page has another file in place of this: tables of Unicode
// would be a fifth of it.

extension String {
  /// The beginning of a text from outside, fit for an error of one line: control characters become question marks.
  init(shownOf text: some StringProtocol, limit: Int) {
    let visible = text.prefix(limit).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "?" : scalar
    }
    self.init(String.UnicodeScalarView(visible))
  }

  package var inLowerCase: String { lowercased() }
}

extension Character {
  package var isSpace: Bool { isWhitespace }
}
