/// Whether a text begins as `pattern` does up to its `...`, and ends as `pattern` does after them. Without `...`, the
/// pattern is a beginning.
///
/// Tests of errors compare the facts with it. A few compare a whole text, so that its wording is read once.
public func matches(_ text: String, _ pattern: String) -> Bool {
  guard let dots = pattern.firstRange(of: "...") else { return text.hasPrefix(pattern) }
  return text.hasPrefix(pattern[..<dots.lowerBound]) && text.hasSuffix(pattern[dots.upperBound...])
}
