/// The error of a game for a text that is not an agent. Cases of an enumeration can meet the requirements.
package protocol AgentTextFailure: Error {
  associatedtype Name: AgentTextName

  static func tooLong(limit: Int) -> Self
  static var badParentheses: Self { get }
  static func notAPair(_ text: String) -> Self
  static func unknownName(_ text: String, nearest: String?) -> Self
  static func unknownKey(_ text: String, of name: Name, nearest: String?) -> Self
  static func repeated(_ key: Name.Key) -> Self
  static func badValue(_ text: String, of key: Name.Key, expected: String, nearest: String?) -> Self
}

/// The sentences for these errors, equal for every game. Each is one line.
extension AgentTextFailure {
  package static func sentence(tooLong limit: Int) -> String {
    "an agent is written in at most \(limit) characters"
  }

  package static func sentence(badParentheses example: String) -> String {
    "an agent is a name, or a name and its settings in one pair of parentheses, such as \(example)"
  }

  package static func sentence(notAPair text: String, example: String) -> String {
    "'\(Spelling.printable(text))' is not a setting: write key: value, such as \(example)"
  }

  package static func sentence(unknownName text: String, nearest: String?) -> String {
    "no agent is called '\(Spelling.printable(text))'" + suggestion(nearest, of: Name.allCases.map(\.rawValue))
  }

  package static func sentence(unknownKey text: String, of name: Name, nearest: String?) -> String {
    "\(name.rawValue) has no setting '\(Spelling.printable(text))'"
      + (name.row.keys.isEmpty ? ": it has none" : suggestion(nearest, of: name.row.keys.map(\.rawValue)))
  }

  package static func sentence(repeated key: Name.Key) -> String {
    "\(key.rawValue) is given more than once"
  }

  package static func sentence(
    badValue text: String, of key: Name.Key, expected: String, nearest: String?
  ) -> String {
    "\(key.rawValue) is '\(Spelling.printable(text))': give \(expected)"
      + (nearest.map { ", did you mean \($0)?" } ?? "")
  }

  package static func sentence(missing keys: [Name.Key], of name: Name, example: String) -> String {
    "\(name.rawValue) needs \(Spelling.list(keys.map(\.rawValue))), such as \(example)"
  }

  package static func sentence(noUse key: Name.Key, of name: Name, unless other: String) -> String {
    "\(key.rawValue) does nothing for \(name.rawValue) without \(other)"
  }

  private static func suggestion(_ nearest: String?, of words: [String]) -> String {
    nearest.map { ", did you mean \($0)?" } ?? ": there are \(words.joined(separator: ", "))"
  }
}
