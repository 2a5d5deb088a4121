#if !hasFeature(Embedded)
internal import PlainText

extension AgentSpecification {
  /// Every agent and its settings with their meanings, ranges, defaults and an example each: at most 80 columns wide,
  /// without a newline at the end. It is made from the tables that the parser uses.
  package static var reference: String {
    AgentName.allCases.map(\.reference).joined(separator: "\n\n")
  }
}

extension AgentName {
  /// The move that the agent makes, as a sentence.
  var summary: String {
    switch self {
    case .random: "Any legal move, each as probable as the others."
    case .greedy: "The move with the largest reward plus value of the board after it."
    case .expectimax: "The move with the largest expected value, looking some plies ahead."
    case .minimax: "The move that is best against the worst tile that may appear."
    case .montecarlo: "The move after which random games score most on average."
    }
  }

  /// A specification of the agent that needs no model.
  var example: String {
    switch self {
    case .random, .greedy: rawValue
    case .expectimax: "expectimax(plies: 3)"
    case .minimax: "minimax(plies: 2)"
    case .montecarlo: "montecarlo(rollouts: 200)"
    }
  }

  /// The specification that was probably meant by another program's word for an agent, or by an evaluator's name.
  package static func meant(by word: String) -> String? {
    switch word.lowercased() {
    case "heuristic": "greedy(evaluator: heuristic)"
    case "model", "network": "greedy(evaluator: model)"
    case "mcts", "mc", "monte-carlo", "rollouts": montecarlo.example
    default: nil
    }
  }

  /// The value that a setting has when it is not given, in words.
  func standard(of key: AgentKey) -> String {
    switch (self, key) {
    case (.expectimax, .plies): "no limit; one of the first three must be given"
    case (_, .plies), (_, .rollouts): "none, it must be given"
    case (_, .milliseconds), (_, .nodes): "no limit"
    case (_, .extend): "no extra ply"
    case (_, .cutoff): "none, every outcome is searched"
    case (_, .downgrade): "none, boards stay as they are"
    case (_, .table): "\(Expectimax<HeuristicEvaluator>.defaultTableBytes >> 20) from 3 plies on, 0 below"
    case (_, .threads): "1"
    case (_, .policy): AgentSpecification.RolloutPolicy.random.rawValue
    case (_, .evaluator): AgentSpecification.EvaluatorChoice.automatic.rawValue
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

extension AgentKey {
  /// What the setting does.
  var summary: String {
    switch self {
    case .plies: "depth: 1 is greedy, each further ply one move more"
    case .milliseconds: "time for a move; the depth is what it allows"
    case .nodes: "boards valued for a move; the depth is what it allows"
    case .extend: "a ply more on boards of at most so many empty cells"
    case .cutoff: "boards less probable than this are valued greedily"
    case .downgrade: "tile from which boards are searched with smaller tiles"
    case .table: "MiB of memory for values searched before; 0 for none"
    case .threads: "threads that search one move"
    case .rollouts: "random games for each legal move"
    case .policy: "moves of those games: random, or greedy by the evaluator"
    case .evaluator: "automatic is the model, or the heuristic without one"
    }
  }

  /// The allowed values in words, to follow "give".
  var expected: String {
    let bounds = "from \(range.lowerBound) to \(range.upperBound)"
    return switch self {
    case .downgrade: "a tile, a power of two \(bounds)"
    case .cutoff: "a probability above 0 and below 1, such as 0.0001"
    case .policy: Spelling.list(AgentSpecification.RolloutPolicy.allCases.map(\.rawValue))
    case .evaluator: Spelling.list(AgentSpecification.EvaluatorChoice.allCases.map(\.rawValue))
    default: "a whole number \(bounds)"
    }
  }

  /// A value as an example.
  var example: String {
    switch self {
    case .plies: "3"
    case .milliseconds: "10"
    case .nodes: "100000"
    case .extend: "4"
    case .cutoff: "0.001"
    case .downgrade: "32768"
    case .table: "16"
    case .threads: "2"
    case .rollouts: "200"
    case .policy: AgentSpecification.RolloutPolicy.greedy.rawValue
    case .evaluator: AgentSpecification.EvaluatorChoice.heuristic.rawValue
    }
  }
}
#endif
