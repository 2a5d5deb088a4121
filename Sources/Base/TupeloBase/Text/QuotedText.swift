extension String {
  /// The text in quotation marks, for one line of a message: at most 60 scalars, with control characters escaped.
  package var quoted: String { "\"" + Spelling.printable(self, limit: 60) + "\"" }
}
