extension StringProtocol {
  /// The beginning of a text from outside as a message may have it: twenty characters of printable ASCII at most, `?`
  /// for all else, so that no terminal obeys it.
  var shown: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(20).map { (" "..."~").contains($0) ? $0 : "?" }))
  }
}
