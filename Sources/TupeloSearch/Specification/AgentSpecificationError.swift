internal import PlainText

/// Why a text is not an agent specification, or an agent cannot be made.
public enum AgentSpecificationError: Error, Hashable, Sendable {
  case tooLong(limit: Int)
  case badParentheses
  case notAPair(String)
  case unknownName(String, nearest: String?)
  case unknownKey(String, of: AgentName, nearest: String?)
  case repeated(AgentKey)
  case badValue(String, of: AgentKey, expected: String, nearest: String? = nil)
  /// At least one of these keys is needed, and none is given.
  case missing(AgentName, [AgentKey], example: String)
  /// A key has no effect unless another one is given.
  case noUse(AgentKey, of: AgentName, unless: String)
  /// The specification says `evaluator: model`, and there is no model.
  case needsModel(String)
}

extension AgentSpecificationError: CustomStringConvertible {
  /// One line, without the place that the specification stands in.
  public var description: String {
    switch self {
    case .tooLong(let limit):
      "an agent is written in at most \(limit) characters"
    case .badParentheses:
      "an agent is a name, or a name and its settings in one pair of parentheses, such as expectimax(plies: 3)"
    case .notAPair(let text):
      "'\(Spelling.printable(text))' is no setting: write key: value, such as plies: 3"
    case .unknownName(let name, let nearest):
      "no agent is called '\(Spelling.printable(name))'"
        + Self.suggestion(nearest, of: AgentName.allCases.map(\.rawValue))
    case .unknownKey(let key, let name, let nearest):
      "\(name.rawValue) has no setting '\(Spelling.printable(key))'"
        + (name.keys.isEmpty ? ": it has none" : Self.suggestion(nearest, of: name.keys.map(\.rawValue)))
    case .repeated(let key):
      "\(key.rawValue) is given more than once"
    case .badValue(let value, let key, let expected, let nearest):
      "\(key.rawValue) is '\(Spelling.printable(value))': give \(expected)"
        + (nearest.map { ", did you mean \($0)?" } ?? "")
    case .missing(let name, let keys, let example):
      "\(name.rawValue) needs \(Spelling.list(keys.map(\.rawValue))), such as \(example)"
    case .noUse(let key, let name, let other):
      "\(key.rawValue) does nothing for \(name.rawValue) without \(other)"
    case .needsModel(let agent):
      "\(agent) plays by a model and none is given: name one, or write evaluator: heuristic"
    }
  }

  private static func suggestion(_ nearest: String?, of words: [String]) -> String {
    nearest.map { ", did you mean \($0)?" } ?? ": there are \(words.joined(separator: ", "))"
  }
}
