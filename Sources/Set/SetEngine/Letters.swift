// Letters and spaces in texts from outside. The page's engine handles only ASCII letters and spaces, because tables of
// Unicode properties would be a fifth of its size.

extension String {
  /// The beginning of a text from outside, fit for an error of one line: control characters become question marks.
  init(shownOf text: some StringProtocol, limit: Int) {
    self.init(String.UnicodeScalarView(text.prefix(limit).unicodeScalars.map { $0.isControl ? "?" : $0 }))
  }
}

#if hasFeature(Embedded)

extension String {
  package var inLowerCase: String {
    String(decoding: utf8.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }
}

extension Character {
  package var isSpace: Bool {
    switch self {
    case " ", "\t", "\n", "\r", "\r\n": true
    default: false
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { value < 0x20 || (0x7f...0x9f).contains(value) }
}

#else

extension String {
  package var inLowerCase: String { lowercased() }
}

extension Character {
  package var isSpace: Bool { isWhitespace }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}

#endif
