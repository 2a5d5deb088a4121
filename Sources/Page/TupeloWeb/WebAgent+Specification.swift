public import TupeloEngine
public import TupeloSearch

extension WebAgent {
  /// The hand-written heuristic, made once, because its tables take time to make.
  private static let heuristic = HeuristicEvaluator()

  /// Makes an agent from its specification. Each request chooses its plies, rollouts or time, if the player has them.
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
    // The evaluator is already made. A specification that names it would make it again for every request.
    let specification = AgentSpecification(specification.player)
    let valuesMoves = specification.valuesMoves
    self.init(
      name: name, title: title, maximumPlies: specification.takesPlies ? maximumPlies : 0, valuesMoves: valuesMoves,
      usesModel: usesModel, isSlow: specification.playsRollouts,
      maximumRollouts: specification.playsRollouts ? Self.rolloutLimit : 0,
      maximumMilliseconds: specification.takesTime ? Self.timeLimit : 0
    ) { board, rules, settings in
      var agent = try specification.with(settings)
        // Random numbers are new each time, unless values depend on them: equal requests must get equal values.
        .makeAgent(model: evaluator, rules: rules, seed: valuesMoves ? 0 : .random(in: 0...UInt64.max))
      guard let analysis = agent.analyze(board) else { return Thought(move: agent.move(on: board), analysis: nil) }
      return Thought(move: analysis.best?.move, analysis: analysis)
    }
  }

  /// An expectimax agent over an evaluator.
  public static func searching(
    _ evaluator: some Evaluator, name: String, title: String, maximumPlies: Int = 3
  ) -> WebAgent {
    WebAgent(.expectimax(plies: 1), model: evaluator, name: name, title: title, maximumPlies: maximumPlies)
  }

  /// An agent that plays a uniformly random legal move.
  public static let random = WebAgent(AgentSpecification(.random), name: "random", title: "Random moves")

  /// There are few rollouts, because each is a whole game: games of a strong network have thousands of moves.
  private static let monteCarlo = AgentSpecification(.monteCarlo(rollouts: 5, policy: .greedy))

  private static let greedy = AgentSpecification(.greedy)
  private static let minimax = AgentSpecification(.minimax(plies: 1))

  /// The agents that a server offers without a model, the heuristic first.
  public static func offered(maximumPlies: Int = 3) -> [WebAgent] {
    [
      heuristic(maximumPlies),
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
    offered(models: [WebModel(model, title: title)], maximumPlies: maximumPlies)
  }

  /// The agents that a server offers with some models; the first model is the usual evaluator.
  ///
  /// A request can name another evaluator: `model` is the first model, `model-2` the second and so on, and `heuristic`
  /// is the hand-written one.
  ///
  /// - Parameters:
  ///   - models: the models; without one, agents play by the heuristic
  ///   - maximumPlies: the largest depth of an agent that searches
  public static func offered(models: [WebModel], maximumPlies: Int = 3) -> [WebAgent] {
    guard let first = models.first else { return offered(maximumPlies: maximumPlies) }
    let named = models.enumerated().map { index, model in
      (EvaluatorName(name: index == 0 ? "model" : "model-\(index + 1)", title: model.title), model)
    }
    let all = named + [(EvaluatorName(name: "heuristic", title: WebModel.heuristic.title), .heuristic)]
    func agent(_ player: AgentSpecification, _ name: String, _ title: String, by models: [(EvaluatorName, WebModel)])
      -> WebAgent
    {
      .choosing(models.map { ($0.0, $0.1.agent(player, name, title, maximumPlies)) })
    }
    let title = models.count == 1 ? "Network \(first.title)" : "Network"
    return [
      agent(.expectimax(plies: 1), "network", title, by: named), heuristic(maximumPlies),
      agent(greedy, "greedy", "Greedy", by: all), agent(minimax, "minimax", "Minimax", by: all),
      agent(monteCarlo, "montecarlo", "Monte Carlo", by: all), random,
    ]
  }

  private static func heuristic(_ maximumPlies: Int) -> WebAgent {
    WebAgent(.expectimax(plies: 1), name: "heuristic", title: "Hand-written heuristic", maximumPlies: maximumPlies)
  }
}

/// An evaluator that agents of a server play by, such as a network.
public struct WebModel: Sendable {
  /// The name for people, such as `4x6`.
  public let title: String
  /// Makes an agent that plays by the evaluator.
  let agent: @Sendable (AgentSpecification, _ name: String, _ title: String, _ maximumPlies: Int) -> WebAgent

  public init(_ evaluator: some Evaluator, title: String) {
    self.title = title
    agent = { WebAgent($0, model: evaluator, name: $1, title: $2, maximumPlies: $3) }
  }

  private init(heuristicTitle title: String) {
    self.title = title
    agent = { WebAgent($0, name: $1, title: $2, maximumPlies: $3) }
  }

  /// The hand-written heuristic.
  static let heuristic = WebModel(heuristicTitle: "the heuristic")
}
