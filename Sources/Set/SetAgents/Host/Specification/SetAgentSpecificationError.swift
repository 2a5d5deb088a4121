internal import TupeloBase

/// Why a text is not the specification of an agent of Set, or an agent cannot be made.
public enum SetAgentSpecificationError: Error, Hashable, Sendable {
  case tooLong(limit: Int)
  case badParentheses
  case notAPair(String)
  case unknownName(String, nearest: String?)
  case unknownKey(String, of: SetAgentName, nearest: String?)
  case repeated(SetAgentKey)
  case badValue(String, of: SetAgentKey, expected: String, nearest: String?)
  /// At least one of these keys is required, and none is given.
  case missing(SetAgentName, [SetAgentKey], example: String)
  /// A key has no effect unless another one is given.
  case noUse(SetAgentKey, of: SetAgentName, unless: String)
  /// The specification says `evaluator: model`, and there is no model.
  case needsModel(String)
}

extension SetAgentSpecificationError: AgentTextFailure {
  package typealias Name = SetAgentName
}

extension SetAgentSpecificationError: CustomStringConvertible {
  /// One line, without the place of the specification.
  public var description: String {
    switch self {
    case .tooLong(let limit): Self.sentence(tooLong: limit)
    case .badParentheses: Self.sentence(badParentheses: "search(milliseconds: 50)")
    case .notAPair(let text): Self.sentence(notAPair: text, example: "count: 20")
    case .unknownName(let name, let nearest): Self.sentence(unknownName: name, nearest: nearest)
    case .unknownKey(let key, let name, let nearest): Self.sentence(unknownKey: key, of: name, nearest: nearest)
    case .repeated(let key): Self.sentence(repeated: key)
    case .badValue(let value, let key, let expected, let nearest):
      Self.sentence(badValue: value, of: key, expected: expected, nearest: nearest)
    case .missing(let name, let keys, let example): Self.sentence(missing: keys, of: name, example: example)
    case .noUse(let key, let name, let other): Self.sentence(noUse: key, of: name, unless: other)
    case .needsModel(let agent):
      "\(agent) needs a model: name one, or use evaluator: heuristic"
    }
  }
}
