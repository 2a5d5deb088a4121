#if !hasFeature(Embedded)
internal import PlainText

extension SetAgentSpecification {
  /// Every agent and its settings with their meanings, ranges, defaults and an example each: at most 80 columns wide,
  /// without a newline at the end. It is made from the tables that the parser uses.
  package static var reference: String {
    SetAgentName.allCases.map(\.reference).joined(separator: "\n\n")
  }
}

extension SetAgentName {
  /// The choice that the agent makes, as a sentence.
  fileprivate var summary: String {
    switch self {
    case .random: "Any Set, each as probable as the others."
    case .mostLeft: "The Set that leaves most other Sets on the table."
    case .counting: "The Set that leaves most Sets among all cards not yet taken."
    case .greedy: "The Set after which most Sets are expected."
    case .rollouts: "The Set with the best mean of games played on from it."
    case .search: "The best mean of games played on and of the evaluator's value."
    }
  }

  /// A specification of the agent that needs no model.
  fileprivate var example: String {
    switch self {
    case .random, .mostLeft, .counting, .greedy: rawValue
    case .rollouts: "rollouts(count: 20)"
    case .search: "search(milliseconds: 50)"
    }
  }

  /// The value that a setting has when it is not given, in words.
  private func standard(of key: SetAgentKey) -> String {
    switch key {
    case .count: "no limit; this or milliseconds must be given"
    case .milliseconds: "no limit"
    case .policy: RolloutPlayer.Policy.greedy.rawValue
    case .depth: "none, games are played to the end"
    case .prior: "\(RolloutSettings.standardPrior)"
    case .exact: "0, once the deck is empty"
    case .evaluator: SetAgentSpecification.EvaluatorChoice.automatic.rawValue
    }
  }

  fileprivate var reference: String {
    let indent = String(repeating: " ", count: 24)
    let settings = keys.flatMap { key in
      let example = "  \(key.rawValue): \(key.example)"
      let space = String(repeating: " ", count: max(indent.count - example.count, 2))
      return [
        example + space + key.summary, "\(indent)takes \(key.expected)", "\(indent)default: \(standard(of: key))",
      ]
    }
    return (["\(example)", "  \(summary)"] + settings).joined(separator: "\n")
  }
}

extension SetAgentKey {
  /// What the setting does.
  fileprivate var summary: String {
    switch self {
    case .count: "games played on from each choice"
    case .milliseconds: "time for a choice"
    case .policy: "who plays those games"
    case .depth: "choices after which a game ends with its value"
    case .prior: "how many games the evaluator's value counts for"
    case .exact: "cards in the deck from which play is exact"
    case .evaluator: "automatic is the model, or the heuristic without one"
    }
  }

  /// The allowed values in words.
  fileprivate var expected: String {
    switch self {
    case .count, .milliseconds, .depth, .prior: "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .policy: Spelling.list(RolloutPlayer.Policy.allCases.map(\.rawValue))
    case .exact: Spelling.list(["never"] + Endgame.allowedCards.map { "\($0)" })
    case .evaluator: Spelling.list(SetAgentSpecification.EvaluatorChoice.allCases.map(\.rawValue))
    }
  }

  /// A value as an example.
  fileprivate var example: String {
    switch self {
    case .count: "20"
    case .milliseconds: "50"
    case .policy: RolloutPlayer.Policy.counting.rawValue
    case .depth: "4"
    case .prior: "60"
    case .exact: "6"
    case .evaluator: SetAgentSpecification.EvaluatorChoice.heuristic.rawValue
    }
  }
}
#endif
