public import TupeloEngine
public import TupeloSearch

extension WebAgent {
  /// The hand-written heuristic, made once, because its tables take time to make.
  private static let heuristic = HeuristicEvaluator()

  /// Makes an agent from its specification. If the player has plies, each question chooses them.
  ///
  /// - Parameters:
  ///   - specification: the player and its settings
  ///   - model: the evaluator, unless the specification says `evaluator: heuristic`
  ///   - name: the name in addresses, such as `network`
  ///   - title: the name for people, such as `4x6 network`
  ///   - maximumPlies: the largest depth; three plies take at most some tens of milliseconds, each further ply about
  ///     thirty times as long
  public init(
    _ specification: AgentSpecification, model: some Evaluator, name: String, title: String, maximumPlies: Int = 3
  ) {
    if specification.evaluator == .heuristic {
      self.init(specification, evaluator: Self.heuristic, false, name, title, maximumPlies)
    } else {
      self.init(specification, evaluator: model, specification.usesEvaluator, name, title, maximumPlies)
    }
  }

  /// Makes an agent without a model; the hand-written heuristic takes its place.
  ///
  /// - Precondition: the specification does not say `evaluator: model`.
  public init(_ specification: AgentSpecification, name: String, title: String, maximumPlies: Int = 3) {
    precondition(specification.evaluator != .model, "\(specification) plays by a model and none is given")
    self.init(specification, evaluator: Self.heuristic, false, name, title, maximumPlies)
  }

  private init(
    _ specification: AgentSpecification, evaluator: some Evaluator, _ usesModel: Bool, _ name: String, _ title: String,
    _ maximumPlies: Int
  ) {
    // The evaluator is already made. A specification that names it would make it again for every question.
    let specification = AgentSpecification(specification.player)
    let valuesMoves = specification.valuesMoves
    @Sendable func think(_ specification: AgentSpecification, _ board: Board, _ rules: Rules) -> Thought {
      // Random numbers are new each time, unless values depend on them: equal questions must get equal values.
      var agent = specification.makeAgent(
        model: evaluator, rules: rules, seed: valuesMoves ? 0 : .random(in: 0...UInt64.max))
      guard let analysis = agent.analyze(board) else { return Thought(move: agent.move(on: board), analysis: nil) }
      return Thought(move: analysis.best?.move, analysis: analysis)
    }
    var thinkInTime: (@Sendable (Board, Rules, Int) -> Thought)?
    if usesModel, specification.takesTime {
      thinkInTime = { board, rules, milliseconds in
        think(specification.with(milliseconds: milliseconds), board, rules)
      }
    }
    self.init(
      name: name, title: title, maximumPlies: specification.takesPlies ? maximumPlies : 0, valuesMoves: valuesMoves,
      usesModel: usesModel, isSlow: specification.playsRollouts, thinkInTime: thinkInTime
    ) { board, rules, plies in think(specification.with(plies: plies), board, rules) }
  }

  /// An expectimax agent over an evaluator.
  public static func searching(
    _ evaluator: some Evaluator, name: String, title: String, maximumPlies: Int = 3
  ) -> WebAgent {
    WebAgent(.expectimax(plies: 1), model: evaluator, name: name, title: title, maximumPlies: maximumPlies)
  }

  /// An agent that plays a uniformly random legal move.
  public static let random = WebAgent(AgentSpecification(.random), name: "random", title: "Random moves")

  /// Few rollouts, because each is a whole game: games of a strong network have thousands of moves.
  private static let monteCarlo = AgentSpecification(.monteCarlo(rollouts: 5, policy: .greedy))

  private static func heuristic(maximumPlies: Int) -> WebAgent {
    WebAgent(.expectimax(plies: 1), name: "heuristic", title: "Hand-written heuristic", maximumPlies: maximumPlies)
  }

  private static let greedy = AgentSpecification(.greedy)
  private static let minimax = AgentSpecification(.minimax(plies: 1))

  /// What a server offers without a model: the heuristic first.
  public static func offered(maximumPlies: Int = 3) -> [WebAgent] {
    [
      heuristic(maximumPlies: maximumPlies),
      WebAgent(greedy, name: "greedy", title: "Greedy by the heuristic"),
      WebAgent(minimax, name: "minimax", title: "Minimax by the heuristic", maximumPlies: maximumPlies),
      WebAgent(monteCarlo, name: "montecarlo", title: "Monte Carlo by the heuristic"), random,
    ]
  }

  /// The agents that a server offers with a model; the model comes first.
  ///
  /// - Parameters:
  ///   - model: the model's evaluator
  ///   - title: the model's name for people
  ///   - maximumPlies: the largest depth of an agent that searches
  public static func offered(model: some Evaluator, title: String, maximumPlies: Int = 3) -> [WebAgent] {
    [
      searching(model, name: "network", title: "Network \(title)", maximumPlies: maximumPlies),
      heuristic(maximumPlies: maximumPlies),
      WebAgent(greedy, model: model, name: "greedy", title: "Greedy by \(title)"),
      WebAgent(minimax, model: model, name: "minimax", title: "Minimax by \(title)", maximumPlies: maximumPlies),
      WebAgent(monteCarlo, model: model, name: "montecarlo", title: "Monte Carlo by \(title)"), random,
    ]
  }
}

extension AgentSpecification {
  /// Whether the player's depth can be chosen.
  fileprivate var takesPlies: Bool {
    switch player {
    case .expectimax, .minimax: true
    case .random, .greedy, .monteCarlo: false
    }
  }

  /// Whether the player can search for a time.
  fileprivate var takesTime: Bool {
    if case .expectimax = player { true } else { false }
  }

  /// The specification with a time for a move in place of the depth; the same one if the player cannot search for a
  /// time.
  fileprivate func with(milliseconds: Int) -> AgentSpecification {
    guard case .expectimax(var settings) = player else { return self }
    (settings.plies, settings.milliseconds) = (nil, milliseconds)
    var other = self
    other.player = .expectimax(settings)
    return other
  }

  fileprivate var playsRollouts: Bool {
    if case .monteCarlo = player { true } else { false }
  }

  /// The specification at another depth; the same specification if the player has no depth.
  fileprivate func with(plies: Int) -> AgentSpecification {
    var other = self
    switch player {
    case .expectimax(var settings):
      settings.plies = plies
      other.player = .expectimax(settings)
    case .minimax: other.player = .minimax(plies: plies)
    case .random, .greedy, .monteCarlo: break
    }
    return other
  }
}
