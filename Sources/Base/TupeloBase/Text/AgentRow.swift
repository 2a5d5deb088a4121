/// The row of one agent of a game. Reading, writing and explaining the agent all use this row.
package struct AgentRow<Key: AgentTextKey>: Sendable {
  /// A sentence about the play of the agent.
  package let summary: String
  /// A specification of the agent that needs no model.
  package let example: String
  /// The keys that the agent takes, in the order in which they are written.
  package let keys: [Key]
  /// Defaults in words, for keys whose default differs from the key's own row.
  private let standards: [Key: String]

  package init(_ example: String, _ keys: [Key], _ summary: String, standards: [Key: String] = [:]) {
    (self.example, self.keys, self.summary, self.standards) = (example, keys, summary, standards)
  }

  /// The value that a setting has when it is not given, in words.
  private func standard(of key: Key) -> String { standards[key] ?? key.row.standard }

  /// The agent and its settings with their meanings, ranges, defaults and an example each: at most 80 columns wide.
  fileprivate var reference: String {
    let indent = String(repeating: " ", count: 24)
    let settings = keys.flatMap { key in
      let example = "  \(key.rawValue): \(key.row.example)"
      let space = String(repeating: " ", count: max(indent.count - example.count, 2))
      return [
        example + space + key.row.summary, "\(indent)takes \(key.row.expected)",
        "\(indent)default: \(standard(of: key))",
      ]
    }
    return ([example, "  \(summary)"] + settings).joined(separator: "\n")
  }
}

/// The row of one setting of agents: its meaning, values, default and example.
package struct AgentSettingRow: Sendable {
  /// The allowed values.
  package enum Values: Sendable {
    /// Whole numbers of a range.
    case whole(ClosedRange<Int>)
    /// Numbers above 0 and below 1.
    case probability
    case words([String])
  }

  package let values: Values
  /// The effect of the setting.
  package let summary: String
  /// A value as an example.
  package let example: String
  /// The value that it has when it is not given, in words.
  package let standard: String

  package init(_ values: Values, _ summary: String, example: String, default standard: String) {
    (self.values, self.summary, self.example, self.standard) = (values, summary, example, standard)
  }

  /// The allowed values in words, to follow "give".
  package var expected: String {
    switch values {
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .probability: "a probability above 0 and below 1, such as 0.0001"
    case .words(let words): Spelling.list(words)
    }
  }

  /// The nearest allowed whole number; other settings allow every number.
  package func nearest(_ number: Int) -> Int {
    switch values {
    case .whole(let range): min(max(number, range.lowerBound), range.upperBound)
    case .probability, .words: number
    }
  }

  func number(_ text: String) -> Int? {
    guard let value = Int(text) else { return nil }
    return switch values {
    case .whole(let range) where range.contains(value): value
    default: nil
    }
  }
}

/// The names of a game's agents, with a row for each.
package protocol AgentTextName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  associatedtype Key: AgentTextKey

  var row: AgentRow<Key> { get }

  /// The agent that another program calls by this word; `nil` for an unknown word.
  static func meant(by word: String) -> String?
}

/// The settings of a game's agents, with a row for each.
package protocol AgentTextKey: RawRepresentable<String>, Hashable, Sendable {
  var row: AgentSettingRow { get }
}

extension AgentTextName {
  package static func meant(by word: String) -> String? { nil }

  /// Every agent with its settings, without a newline at the end. It is made from the rows that the parser uses.
  package static var reference: String { allCases.map(\.row.reference).joined(separator: "\n\n") }
}
