internal import TupeloEngine
internal import TupeloSearch

extension WebAgent {
  /// The settings that a request chooses for an agent.
  public struct Settings: Sendable {
    /// The depth; with a time, the largest depth.
    public var plies: Int
    /// The name of one of the agent's evaluators; `nil` for the first.
    public var evaluator: String?
    /// The rollouts after each legal move; `nil` for the agent's own number.
    public var rollouts: Int?
    /// The time for the move; `nil` for none.
    public var milliseconds: Int?

    public init(plies: Int, evaluator: String? = nil, rollouts: Int? = nil, milliseconds: Int? = nil) {
      self.plies = plies
      self.evaluator = evaluator
      self.rollouts = rollouts
      self.milliseconds = milliseconds
    }
  }

  /// An evaluator that a request can name.
  public struct EvaluatorName: Hashable, Sendable, Encodable {
    /// The name in addresses, such as `heuristic`.
    public let name: String
    /// The name for people.
    public let title: String
  }

  /// One agent made of several that differ in their evaluators. A request names an evaluator, or gets the first.
  static func choosing(_ agents: [(evaluator: EvaluatorName, agent: WebAgent)]) -> WebAgent {
    guard agents.count > 1 else { return agents[0].agent }
    var agent = agents[0].agent
    let thinkers = Dictionary(uniqueKeysWithValues: agents.map { ($0.evaluator.name, $0.agent.think) })
    agent.evaluators = agents.map(\.evaluator)
    agent.think = { [first = agent.think] board, rules, settings in
      try (settings.evaluator.flatMap { thinkers[$0] } ?? first)(board, rules, settings)
    }
    return agent
  }

  /// The lane for a request, by the longest time that its answer may take. Either its plies or its time limit it.
  func lane(_ settings: Settings) -> SearchQueue.Lane {
    if isSlow { return .long }
    if settings.plies <= 2 { return .quick }
    if let milliseconds = settings.milliseconds { return milliseconds <= SearchQueue.quickTime ? .quick : .long }
    return settings.plies <= 3 ? .deep : .long
  }

  /// The largest number of rollouts in a request: games of a strong network have thousands of moves.
  static let rolloutLimit = 100
  /// The longest time in a request, in milliseconds.
  static let timeLimit = 2000
}

extension AgentSpecification {
  /// Whether the player's depth can be chosen.
  var takesPlies: Bool {
    switch player {
    case .expectimax, .minimax: true
    case .random, .greedy, .monteCarlo: false
    }
  }

  /// Whether the player can be given a time for its move.
  var takesTime: Bool {
    if case .expectimax = player { true } else { false }
  }

  var playsRollouts: Bool {
    if case .monteCarlo = player { true } else { false }
  }

  /// The specification with the settings that its player takes.
  func with(_ choice: WebAgent.Settings) -> AgentSpecification {
    var other = self
    switch player {
    case .expectimax(var settings):
      settings.plies = choice.plies
      if let milliseconds = choice.milliseconds { settings.milliseconds = milliseconds }
      other.player = .expectimax(settings)
    case .minimax: other.player = .minimax(plies: choice.plies)
    case .monteCarlo(let rollouts, let policy):
      other.player = .monteCarlo(rollouts: choice.rollouts ?? rollouts, policy: policy)
    case .random, .greedy: break
    }
    return other
  }
}
