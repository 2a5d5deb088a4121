package import TupeloBase

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
    case .random: AgentRow("random", [.exact], "Any Set, all with equal probability.")
    case .mostLeft: AgentRow("most-left", [.exact], "The Set that leaves most other Sets on the table.")
    case .counting:
      AgentRow("counting", [.exact], "The Set that leaves most Sets among all cards not yet taken.")
    case .greedy: AgentRow("greedy", [.exact, .evaluator], "The Set after which most Sets are expected.")
    case .rollouts:
      AgentRow(
        "rollouts(count: 20)", [.count, .milliseconds, .policy, .exact, .evaluator],
        "The Set with the best mean score of rollouts from it.")
    case .search:
      AgentRow(
        "search(milliseconds: 50)", [.count, .milliseconds, .depth, .prior, .exact, .evaluator],
        "The Set with the best mean of rollouts and the evaluator's value.")
    }
  }
}

extension SetAgentKey: AgentTextKey {
  package var row: AgentSettingRow {
    switch self {
    case .count:
      AgentSettingRow(
        .whole(1...1_000_000), "rollouts (games played to the end) for each choice", example: "20",
        default: "no limit; this or milliseconds must be given")
    case .milliseconds:
      AgentSettingRow(.whole(1...3_600_000), "time for a choice", example: "50", default: "no limit")
    case .policy:
      AgentSettingRow(
        .words(RolloutPlayer.Policy.allCases.map(\.rawValue)), "the agent that plays the rollouts",
        example: RolloutPlayer.Policy.counting.rawValue, default: RolloutPlayer.Policy.greedy.rawValue)
    case .depth:
      AgentSettingRow(
        .whole(1...27), "choices after which a rollout ends with a value", example: "4",
        default: "none, rollouts are played to the end")
    case .prior:
      AgentSettingRow(
        .whole(0...1_000_000), "rollouts for which the evaluator's value counts", example: "60",
        default: "\(RolloutSettings.standardPrior)")
    case .exact:
      AgentSettingRow(
        .words(SetAgentSpecification.ExactPlay.choices.map(\.text)), "cards in the deck from which play is exact",
        example: "6", default: "0, once the deck is empty")
    case .evaluator:
      AgentSettingRow(
        .words(SetAgentSpecification.EvaluatorChoice.allCases.map(\.rawValue)),
        "automatic: the model, or the heuristic without a model",
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
