package import TupeloBase

/// The names of agents.
public enum AgentName: String, CaseIterable, Hashable, Sendable {
  case random
  case greedy
  case expectimax
  case minimax
  case montecarlo
}

/// The keys of all agents.
public enum AgentKey: String, CaseIterable, Hashable, Sendable {
  case plies
  case milliseconds
  case nodes
  case extend
  case cutoff
  case table
  case threads
  case rollouts
  case policy
  case evaluator
}

extension AgentName: AgentTextName {
  package typealias Key = AgentKey

  package var row: AgentRow<AgentKey> {
    switch self {
    case .random: AgentRow("random", [], "Any legal move, all with equal probability.")
    case .greedy:
      AgentRow("greedy", [.evaluator], "The move with the largest reward plus value of the board after it.")
    case .expectimax:
      AgentRow(
        "expectimax(plies: 3)",
        [.plies, .milliseconds, .nodes, .extend, .cutoff, .table, .threads, .evaluator],
        "The move with the largest expected value, looking some plies ahead.",
        standards: [.plies: "no limit; one of the first three must be given"])
    case .minimax:
      AgentRow(
        "minimax(plies: 2)", [.plies, .evaluator], "The move that is best against the worst tile that may appear.")
    case .montecarlo:
      AgentRow(
        "montecarlo(rollouts: 200)", [.rollouts, .policy, .evaluator],
        "The move after which random games score most on average.")
    }
  }

  /// The specification for another program's word for an agent, or for an evaluator's name.
  package static func meant(by word: String) -> String? {
    switch word.lowercased() {
    case "heuristic": "greedy(evaluator: heuristic)"
    case "model", "network": "greedy(evaluator: model)"
    case "mcts", "mc", "monte-carlo", "rollouts": montecarlo.row.example
    default: nil
    }
  }
}

extension AgentKey: AgentTextKey {
  package var row: AgentSettingRow {
    switch self {
    case .plies:
      AgentSettingRow(
        .whole(AgentSpecification.pliesRange), "depth: 1 is greedy, each further ply adds a move", example: "3",
        default: "none, it must be given")
    case .milliseconds:
      AgentSettingRow(
        .whole(1...3_600_000), "time for a move, which limits the depth", example: "10", default: "no limit")
    case .nodes:
      AgentSettingRow(
        .whole(1...1_000_000_000_000), "boards valued for a move, which limits the depth", example: "100000",
        default: "no limit")
    case .extend:
      AgentSettingRow(
        .whole(0...15), "one more ply on boards with at most N empty cells", example: "4", default: "no extra ply")
    case .cutoff:
      AgentSettingRow(
        .probability, "boards less probable than this are valued greedily", example: "0.001",
        default: "none; with a limit, it falls from ply to ply")
    case .table:
      AgentSettingRow(
        .whole(0...65_536), "MiB of memory for known values; 0 means no table", example: "16",
        default: "\(Expectimax<HeuristicEvaluator>.defaultTableBytes >> 20) from 3 plies on, 0 below")
    case .threads:
      AgentSettingRow(
        .whole(1...4), "threads that search one move; not with nodes", example: "2", default: "1")
    case .rollouts:
      AgentSettingRow(
        .whole(1...1_000_000), "random games for each legal move", example: "200", default: "none, it must be given")
    case .policy:
      AgentSettingRow(
        .words(AgentSpecification.RolloutPolicy.allCases.map(\.rawValue)),
        "rollout moves: random, or greedy by the evaluator",
        example: AgentSpecification.RolloutPolicy.greedy.rawValue,
        default: AgentSpecification.RolloutPolicy.random.rawValue)
    case .evaluator:
      AgentSettingRow(
        .words(AgentSpecification.EvaluatorChoice.allCases.map(\.rawValue)),
        "automatic: the model, or the heuristic without a model",
        example: AgentSpecification.EvaluatorChoice.heuristic.rawValue,
        default: AgentSpecification.EvaluatorChoice.automatic.rawValue)
    }
  }
}

extension AgentSpecification {
  /// Every agent and its settings with their meanings, ranges, defaults and an example each: at most 80 columns wide,
  /// without a newline at the end.
  package static var reference: String { AgentName.reference }
}
