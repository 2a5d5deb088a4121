public import SetEngine
public import SetPlayers

extension SetWebAgent {
  /// The hand-written heuristic, made once, because its tables take time to make.
  private static let heuristicEvaluator = HeuristicSetEvaluator()

  /// Makes an agent from its specification, for games by the standard rules.
  ///
  /// - Parameters:
  ///   - specification: the player and its settings
  ///   - model: the evaluator, unless the specification says `evaluator: heuristic`
  ///   - name: the name in addresses, such as `search`
  ///   - title: the name for people, such as `Search by NAME`
  public init(_ specification: SetAgentSpecification, model: some SetEvaluator, name: String, title: String) {
    if specification.evaluator == .heuristic {
      self.init(specification, evaluator: Self.heuristicEvaluator, false, name, title)
    } else {
      self.init(specification, evaluator: model, specification.usesEvaluator, name, title)
    }
  }

  /// Makes an agent without a model; the hand-written heuristic takes its place.
  ///
  /// - Precondition: the specification does not say `evaluator: model`.
  public init(_ specification: SetAgentSpecification, name: String, title: String) {
    precondition(specification.evaluator != .model, "\(specification) plays by a model and none is given")
    self.init(specification, evaluator: Self.heuristicEvaluator, false, name, title)
  }

  private init(
    _ specification: SetAgentSpecification, evaluator: some SetEvaluator, _ usesModel: Bool, _ name: String,
    _ title: String
  ) {
    // The evaluator is already made. A specification that names it would make it again for every question.
    let specification = SetAgentSpecification(specification.player, exact: specification.exact)
    let valuesChoices = specification.valuesChoices
    self.init(
      name: name, title: title, criterion: specification.criterion, usesModel: usesModel,
      isSlow: specification.playsRollouts
    ) { position in
      if let endgame = specification.endgame, endgame.includes(unseen: position.unseen) {
        let analysis = endgame.analyze(position)
        return Thought(analysis)
      }
      // Random numbers are new each time, unless values depend on them: equal questions must get equal values.
      var agent = specification.makeAgent(model: evaluator, seed: valuesChoices ? 0 : .random(in: 0...UInt64.max))
      guard let analysis = agent.analyze(position) else {
        return Thought(choice: agent.choice(in: position), analysis: nil)
      }
      return Thought(analysis)
    }
  }

  /// The search ends by its number of rollouts, so that equal questions get equal values on every machine; the time is
  /// a bound for slow ones.
  private static let search = SetAgentSpecification(
    .search(.init(count: 200, milliseconds: 1000), .init()), exact: .from(cards: exactCards))
  private static let heuristicAgent = SetWebAgent.heuristic(heuristicEvaluator)
  private static let simple = SetWebAgent.simple { .random(in: 0...UInt64.max) }

  /// What a server offers without a model of Set: the strongest first.
  public static let offered =
    [SetWebAgent(search, name: "search", title: "Search by the heuristic"), heuristicAgent] + simple

  /// The agents that a server offers with a model of Set; the model comes first.
  ///
  /// - Parameters:
  ///   - model: the model's evaluator, of the standard rules
  ///   - title: the model's name for people
  public static func offered(model: some SetEvaluator, title: String) -> [SetWebAgent] {
    [
      .greedy(by: model, usesModel: true, name: "network", title: "Network \(title)"),
      SetWebAgent(search, model: model, name: "search", title: "Search by \(title)"), heuristicAgent,
    ] + simple
  }
}

extension SetAgentSpecification {
  fileprivate var criterion: SetWebAgent.Criterion {
    switch player {
    case .random: .none
    case .mostLeft: .tableSets
    case .counting: .setsLeft
    case .greedy, .rollouts, .search: .value
    }
  }

  fileprivate var playsRollouts: Bool {
    switch player {
    case .rollouts, .search: true
    case .random, .mostLeft, .counting, .greedy: false
    }
  }

  /// Exact play near the end; `nil` for an agent that plays by its own rule to the end.
  fileprivate var endgame: Endgame? {
    switch exact {
    case .never: nil
    case .from(let cards): Endgame(cards: cards)
    }
  }
}
