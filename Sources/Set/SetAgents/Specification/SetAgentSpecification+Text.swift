#if !hasFeature(Embedded)
internal import PlainText

extension SetAgentSpecification: CustomStringConvertible {
  /// The canonical text: keys in a fixed order, only those that are set.
  public var description: String {
    var pairs: [(key: SetAgentKey, value: String)] = []
    func add(_ key: SetAgentKey, _ value: Int?) {
      if let value { pairs.append((key, "\(value)")) }
    }
    func add(_ limits: Limits) {
      add(.count, limits.count)
      add(.milliseconds, limits.milliseconds)
    }
    switch player {
    case .random, .mostLeft, .counting, .greedy: break
    case .rollouts(let limits, let policy):
      add(limits)
      if policy != .greedy { pairs.append((.policy, policy.rawValue)) }
    case .search(let limits, let settings):
      add(limits)
      add(.depth, settings.depth)
      add(.prior, settings.prior)
    }
    if exact != .emptyDeck { pairs.append((.exact, exact.text)) }
    if evaluator != .automatic { pairs.append((.evaluator, evaluator.rawValue)) }
    return AgentText<SetAgentSpecificationError>.written(name, pairs)
  }

  var name: SetAgentName {
    switch player {
    case .random: .random
    case .mostLeft: .mostLeft
    case .counting: .counting
    case .greedy: .greedy
    case .rollouts: .rollouts
    case .search: .search
    }
  }

  /// Reads a specification: a name, and in parentheses keys with their values. Spaces are ignored.
  ///
  /// - Throws: `SetAgentSpecificationError` for an unknown name or key, a value out of range, or a text that is not a
  ///   specification.
  public init(text: String) throws(SetAgentSpecificationError) {
    let values = try AgentText<SetAgentSpecificationError>(text)
    let name = values.name
    switch name {
    case .random: player = .random
    case .mostLeft: player = .mostLeft
    case .counting: player = .counting
    case .greedy: player = .greedy
    case .rollouts:
      let limits = try Self.limits(values, example: "rollouts(count: 20)")
      player = .rollouts(limits, policy: try values.word(.policy, default: .greedy))
    case .search:
      let limits = try Self.limits(values, example: "search(milliseconds: 50)")
      let settings = SearchSettings(depth: try values.integer(.depth), prior: try values.integer(.prior))
      player = .search(limits, settings)
    }
    exact = try values.exactPlay()
    evaluator = try values.word(.evaluator, default: .automatic)
    if evaluator != .automatic, !usesEvaluator {
      throw .noUse(.evaluator, of: name, unless: "policy: greedy")
    }
  }

  private static func limits(
    _ values: AgentText<SetAgentSpecificationError>, example: String
  ) throws(SetAgentSpecificationError) -> Limits {
    let limits = Limits(count: try values.integer(.count), milliseconds: try values.integer(.milliseconds))
    guard limits.count != nil || limits.milliseconds != nil else {
      throw .missing(values.name, [.count, .milliseconds], example: example)
    }
    return limits
  }
}

extension AgentText<SetAgentSpecificationError> {
  /// A whole number in the key's range; `nil` when the key is not there.
  fileprivate func integer(_ key: SetAgentKey) throws(SetAgentSpecificationError) -> Int? {
    try integer(key, in: key.range)
  }

  fileprivate func exactPlay() throws(SetAgentSpecificationError) -> SetAgentSpecification.ExactPlay {
    guard let text = self[.exact] else { return .emptyDeck }
    let choices = [.never] + Endgame.allowedCards.map { SetAgentSpecification.ExactPlay.from(cards: $0) }
    guard let choice = choices.first(where: { $0.text == text }) else {
      throw .badValue(
        text, of: .exact, expected: Spelling.list(choices.map(\.text)) + ", the cards in the deck",
        nearest: Spelling.nearest(to: text, among: ["never"]))
    }
    return choice
  }
}

extension SetAgentSpecification.ExactPlay {
  fileprivate var text: String {
    switch self {
    case .never: "never"
    case .from(let cards): "\(cards)"
    }
  }
}
#endif
