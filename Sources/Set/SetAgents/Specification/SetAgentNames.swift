#if !hasFeature(Embedded)
package import PlainText

/// The names of the agents of Set.
public enum SetAgentName: String, CaseIterable, Hashable, Sendable {
  case random
  case mostLeft = "most-left"
  case counting
  case greedy
  case rollouts
  case search
}

/// The keys of all agents of Set.
public enum SetAgentKey: String, CaseIterable, Hashable, Sendable {
  case count
  case milliseconds
  case policy
  case depth
  case prior
  case exact
  case evaluator
}

extension SetAgentName: AgentTextName {
  package typealias Key = SetAgentKey

  package var row: AgentRow<SetAgentKey> {
    switch self {
    case .random: AgentRow("random", [.exact], "Any Set, each as probable as the others.")
    case .mostLeft: AgentRow("most-left", [.exact], "The Set that leaves most other Sets on the table.")
    case .counting:
      AgentRow("counting", [.exact], "The Set that leaves most Sets among all cards not yet taken.")
    case .greedy: AgentRow("greedy", [.exact, .evaluator], "The Set after which most Sets are expected.")
    case .rollouts:
      AgentRow(
        "rollouts(count: 20)", [.count, .milliseconds, .policy, .exact, .evaluator],
        "The Set with the best mean of games played on from it.")
    case .search:
      AgentRow(
        "search(milliseconds: 50)", [.count, .milliseconds, .depth, .prior, .exact, .evaluator],
        "The best mean of games played on and of the evaluator's value.")
    }
  }
}

extension SetAgentKey: AgentTextKey {
  package var row: AgentSettingRow {
    switch self {
    case .count:
      AgentSettingRow(
        .whole(1...1_000_000), "games played on from each choice", example: "20",
        default: "no limit; this or milliseconds must be given")
    case .milliseconds:
      AgentSettingRow(.whole(1...3_600_000), "time for a choice", example: "50", default: "no limit")
    case .policy:
      AgentSettingRow(
        .words(RolloutPlayer.Policy.allCases.map(\.rawValue)), "who plays those games",
        example: RolloutPlayer.Policy.counting.rawValue, default: RolloutPlayer.Policy.greedy.rawValue)
    case .depth:
      AgentSettingRow(
        .whole(1...27), "choices after which a game ends with its value", example: "4",
        default: "none, games are played to the end")
    case .prior:
      AgentSettingRow(
        .whole(0...1_000_000), "how many games the evaluator's value counts for", example: "60",
        default: "\(RolloutSettings.standardPrior)")
    case .exact:
      AgentSettingRow(
        .words(SetAgentSpecification.ExactPlay.choices.map(\.text)), "cards in the deck from which play is exact",
        example: "6", default: "0, once the deck is empty")
    case .evaluator:
      AgentSettingRow(
        .words(SetAgentSpecification.EvaluatorChoice.allCases.map(\.rawValue)),
        "automatic is the model, or the heuristic without one",
        example: SetAgentSpecification.EvaluatorChoice.heuristic.rawValue,
        default: SetAgentSpecification.EvaluatorChoice.automatic.rawValue)
    }
  }
}

extension SetAgentSpecification {
  /// Every agent and its settings with their meanings, ranges, defaults and an example each: at most 80 columns wide,
  /// without a newline at the end.
  package static var reference: String { SetAgentName.reference }
}
#endif
