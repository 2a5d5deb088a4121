/// Text from a file or a command line, made fit for one line of a message.
extension String {
  /// In quotation marks, at most 60 scalars, control characters escaped.
  package var quoted: String { "\"" + escaped(limit: 60) + "\"" }

  /// With everything that could break or reorder a line written as `\u{..}`, and cut after `limit` scalars.
  package func escaped(limit: Int) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default:
        result.append(scalar)
      }
    }
    let isCut = unicodeScalars.dropFirst(limit).first != nil
    return String(result) + (isCut ? "..." : "")
  }
}
