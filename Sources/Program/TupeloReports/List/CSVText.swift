/// Writes comma-separated values (RFC 4180), which spreadsheets and pandas read.
enum CSVText {
  /// The text of a table, without a newline at its end.
  ///
  /// - Parameters:
  ///   - head: the names of the columns
  ///   - rows: the fields of each row; `nil` for a missing value, which is written as an empty field
  static func text(head: [String], rows: [[String?]]) -> String {
    ([head] + rows).map { $0.map { field($0 ?? "") }.joined(separator: ",") }.joined(separator: "\n")
  }

  private static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
