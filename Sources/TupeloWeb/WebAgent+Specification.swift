public import TupeloEngine
public import TupeloSearch

extension WebAgent {
  /// The hand-written heuristic; its tables take a while to make.
  private static let heuristic = HeuristicEvaluator()

  /// An agent by its specification. The plies of one that takes any are chosen anew with every question.
  ///
  /// - Parameters:
  ///   - model: where its values come from, unless it says `evaluator: heuristic`
  ///   - maximumPlies: three plies take at most some tens of milliseconds, each further ply about thirty times as long
  public init(
    _ specification: AgentSpecification, model: some Evaluator, name: String, title: String, maximumPlies: Int = 3
  ) {
    if specification.evaluator == .heuristic {
      self.init(specification, evaluator: Self.heuristic, false, name, title, maximumPlies)
    } else {
      self.init(specification, evaluator: model, specification.usesEvaluator, name, title, maximumPlies)
    }
  }

  /// The same without a model: the hand-written heuristic takes its place.
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
    // The evaluator is at hand: a specification that named it would have it made again with every question.
    let specification = AgentSpecification(specification.player)
    let valuesMoves = specification.valuesMoves
    self.init(
      name: name, title: title, maximumPlies: specification.takesPlies ? maximumPlies : 0, valuesMoves: valuesMoves,
      usesModel: usesModel, isSlow: specification.playsRollouts
    ) { board, rules, plies in
      var agent = specification.with(plies: plies)
        // Lots are new each time, unless values come of them: those are the same for the same question.
        .makeAgent(model: evaluator, rules: rules, seed: valuesMoves ? 0 : .random(in: 0...UInt64.max))
      guard let analysis = agent.analyze(board) else { return Thought(move: agent.move(on: board), analysis: nil) }
      return Thought(move: analysis.best?.move, analysis: analysis)
    }
  }

  /// Expectimax over an evaluator.
  public static func searching(
    _ evaluator: some Evaluator, name: String, title: String, maximumPlies: Int = 3
  ) -> WebAgent {
    WebAgent(.expectimax(plies: 1), model: evaluator, name: name, title: title, maximumPlies: maximumPlies)
  }

  /// Any legal move with equal chance.
  public static let random = WebAgent(AgentSpecification(.random), name: "random", title: "Random moves")

  /// Few games, since each goes to its end: those of a strong network have thousands of moves.
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

  /// What a server offers with a model: the model first.
  ///
  /// - Parameter title: what people call the model
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
  /// True for a player whose depth can be chosen.
  fileprivate var takesPlies: Bool {
    switch player {
    case .expectimax, .minimax: true
    case .random, .greedy, .monteCarlo: false
    }
  }

  fileprivate var playsRollouts: Bool {
    if case .monteCarlo = player { true } else { false }
  }

  /// The same player at another depth, if it has one.
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
