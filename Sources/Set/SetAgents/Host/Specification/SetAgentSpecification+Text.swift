internal import TupeloBase

extension SetAgentSpecification: CustomStringConvertible {
  /// The canonical text: keys in a fixed order, only those that are set.
  public var description: String { AgentText<SetAgentSpecificationError>.written(name, value) }

  /// The text of a setting; `nil` if the setting has its default.
  private func value(of key: SetAgentKey) -> String? {
    switch (key, player) {
    case (.exact, _): exact == .emptyDeck ? nil : exact.text
    case (.evaluator, _): evaluator == .automatic || !usesEvaluator ? nil : evaluator.rawValue
    case (.count, .rollouts(let limits, _)), (.count, .search(let limits, _)): limits.count.map(String.init)
    case (.milliseconds, .rollouts(let limits, _)), (.milliseconds, .search(let limits, _)):
      limits.milliseconds.map(String.init)
    case (.policy, .rollouts(_, let policy)): policy == .greedy ? nil : policy.rawValue
    case (.depth, .search(_, let settings)): settings.depth.map(String.init)
    case (.prior, .search(_, let settings)): settings.prior.map(String.init)
    default: nil
    }
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
      let limits = try Self.limits(values)
      player = .rollouts(limits, policy: try values.word(.policy, default: .greedy))
    case .search:
      let limits = try Self.limits(values)
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
    _ values: AgentText<SetAgentSpecificationError>
  ) throws(SetAgentSpecificationError) -> Limits {
    let limits = Limits(count: try values.integer(.count), milliseconds: try values.integer(.milliseconds))
    guard limits.count != nil || limits.milliseconds != nil else {
      throw .missing(values.name, [.count, .milliseconds], example: values.name.row.example)
    }
    return limits
  }
}

extension AgentText<SetAgentSpecificationError> {
  fileprivate func exactPlay() throws(SetAgentSpecificationError) -> SetAgentSpecification.ExactPlay {
    guard let text = self[.exact] else { return .emptyDeck }
    guard let choice = SetAgentSpecification.ExactPlay.choices.first(where: { $0.text == text }) else {
      throw .badValue(
        text, of: .exact, expected: SetAgentKey.exact.row.expected + ", the cards in the deck",
        nearest: Spelling.nearest(to: text, among: ["never"]))
    }
    return choice
  }
}

extension SetAgentSpecification.ExactPlay {
  /// All allowed choices.
  static let choices = [.never] + Endgame.allowedCards.map { Self.from(cards: $0) }

  var text: String {
    switch self {
    case .never: "never"
    case .from(let cards): "\(cards)"
    }
  }
}
