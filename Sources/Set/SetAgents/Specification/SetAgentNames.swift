#if !hasFeature(Embedded)
internal import PlainText

/// The names of the agents of Set.
public enum SetAgentName: String, CaseIterable, Hashable, Sendable {
  case random
  case mostLeft = "most-left"
  case counting
  case greedy
  case rollouts
  case search

  /// The keys that an agent takes, in the order in which they are written.
  package var keys: [SetAgentKey] {
    switch self {
    case .random, .mostLeft, .counting: [.exact]
    case .greedy: [.exact, .evaluator]
    case .rollouts: [.count, .milliseconds, .policy, .exact, .evaluator]
    case .search: [.count, .milliseconds, .depth, .prior, .exact, .evaluator]
    }
  }
}

extension SetAgentName: AgentTextName {}

/// The keys of all agents of Set.
public enum SetAgentKey: String, CaseIterable, Hashable, Sendable {
  case count
  case milliseconds
  case policy
  case depth
  case prior
  case exact
  case evaluator

  /// The allowed whole numbers of a key.
  var range: ClosedRange<Int> {
    switch self {
    case .count: 1...1_000_000
    case .milliseconds: 1...3_600_000
    case .depth: 1...27
    case .prior: 0...1_000_000
    case .policy, .exact, .evaluator: 0...0
    }
  }
}
#endif
