/// Parts of the texts of comparisons: names of runs or groups in tables, and settings that differ.
package enum ComparisonRows {
  /// The columns that a text takes, but for longer words.
  package static let width = 80

  /// The name of a run or a group in a table: A to Z, then A2 to Z2 and so on.
  package static func letter(_ index: Int) -> String {
    let round = index / 26
    return String(UnicodeScalar(UInt8(65 + index % 26))) + (round > 0 ? "\(round + 1)" : "")
  }

  /// Settings with the letters that share each value.
  package static func settings(_ settings: [BaselineComparison.Setting]) -> [String] {
    guard !settings.isEmpty else { return ["the settings are the same"] }
    return settings.flatMap { setting in
      [setting.key] + groups(of: setting.values).flatMap { block($0.letters, $0.value) }
    }
  }

  /// A value after its letters, broken at spaces.
  package static func block(_ letters: String, _ text: String) -> [String] {
    let indent = String(repeating: " ", count: letters.count + 4)
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append((lines.isEmpty ? "  \(letters)  " : indent) + word)
      }
    }
    return lines
  }

  /// The letters that share each value, in the order of their first letter.
  private static func groups(of values: [String?]) -> [(letters: String, value: String)] {
    var order: [String] = []
    var letters: [String: [String]] = [:]
    for (index, value) in values.enumerated() {
      let text = value ?? "-"
      if letters[text] == nil { order.append(text) }
      letters[text, default: []].append(letter(index))
    }
    return order.map { (letters: letters[$0, default: []].joined(separator: " "), value: $0) }
  }
}
