extension StringProtocol {
  /// The lines of a text from outside, without their ends; empty lines count.
  ///
  /// The end of a line on Windows, a carriage return with a line feed, is one `Character`. So `split(separator: "\n")`
  /// would not find it.
  package var lines: [SubSequence] {
    split(omittingEmptySubsequences: false) { $0.isNewline }
  }
}

extension Substring {
  /// The text without white space at its beginning and end.
  package var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...end]
  }
}
