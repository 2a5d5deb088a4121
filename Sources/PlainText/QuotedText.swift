extension String {
  /// Text from a file or a command line, in quotation marks and made fit for one line of a message: at most 60 scalars,
  /// control characters escaped.
  package var quoted: String { "\"" + Spelling.printable(self, limit: 60) + "\"" }
}
