extension StringProtocol {
  /// The beginning of a text from outside, made safe for a message: at most twenty characters, with `?` for characters
  /// that a terminal would interpret or not show.
  var shown: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(20).map { $0.isShown ? $0 : "?" }))
  }
}

extension Unicode.Scalar {
  fileprivate var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
  }
}
