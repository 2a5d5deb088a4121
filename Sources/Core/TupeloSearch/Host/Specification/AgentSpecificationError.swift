internal import TupeloBase

/// Why a text is not an agent specification, or an agent cannot be made.
public enum AgentSpecificationError: Error, Hashable, Sendable {
  case tooLong(limit: Int)
  case badParentheses
  case notAPair(String)
  case unknownName(String, nearest: String?)
  case unknownKey(String, of: AgentName, nearest: String?)
  case repeated(AgentKey)
  case badValue(String, of: AgentKey, expected: String, nearest: String? = nil)
  /// At least one of these keys is required, and none is given.
  case missing(AgentName, [AgentKey], example: String)
  /// A key has no effect unless another one is given.
  case noUse(AgentKey, of: AgentName, unless: String)
  /// A key has no effect together with another one.
  case idle(AgentKey, of: AgentName, with: AgentKey)
  /// The specification says `evaluator: model`, and there is no model.
  case needsModel(String)
}

extension AgentSpecificationError: AgentTextFailure {
  package typealias Name = AgentName
}

extension AgentSpecificationError: CustomStringConvertible {
  /// One line, without the place of the specification.
  public var description: String {
    switch self {
    case .tooLong(let limit): Self.sentence(tooLong: limit)
    case .badParentheses: Self.sentence(badParentheses: "expectimax(plies: 3)")
    case .notAPair(let text): Self.sentence(notAPair: text, example: "plies: 3")
    case .unknownName(let name, let nearest): Self.sentence(unknownName: name, nearest: nearest)
    case .unknownKey(let key, let name, let nearest): Self.sentence(unknownKey: key, of: name, nearest: nearest)
    case .repeated(let key): Self.sentence(repeated: key)
    case .badValue(let value, let key, let expected, let nearest):
      Self.sentence(badValue: value, of: key, expected: expected, nearest: nearest)
    case .missing(let name, let keys, let example): Self.sentence(missing: keys, of: name, example: example)
    case .noUse(let key, let name, let other): Self.sentence(noUse: key, of: name, unless: other)
    case .idle(let key, let name, let other):
      "\(key.rawValue) does nothing for \(name.rawValue) with \(other.rawValue): leave one of the two out"
    case .needsModel(let agent):
      "\(agent) needs a model: name one, or use evaluator: heuristic"
    }
  }
}
