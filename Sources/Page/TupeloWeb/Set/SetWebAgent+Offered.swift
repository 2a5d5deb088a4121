public import SetAgents
public import SetEngine

// The agents of Set that a page may lack: it has no rollouts, and a model may be too large for it. Pages have all other
// agents themselves.

extension SetWebAgent {
  /// The search ends by its number of rollouts, so that equal requests get equal values on every machine; the time is a
  /// bound for slow ones.
  private static let searchSpecification = SetAgentSpecification(
    .search(.init(count: 200, milliseconds: 1000), .init()), exact: .from(cards: exactCards))

  /// Makes the agent that plays rollouts. It plays exactly near the end.
  private static func search(by evaluator: some SetEvaluator, usesModel: Bool, title: String) -> SetWebAgent {
    let (endgame, specification) = (Endgame(cards: exactCards), searchSpecification)
    return SetWebAgent(
      name: "search", title: title, criterion: .value, usesModel: usesModel, isSlow: true
    ) { position in
      if endgame.includes(unseen: position.unseen) { return Thought(endgame.analyze(position)) }
      // The seed is constant, because equal requests must get equal values.
      var agent = specification.makeAgent(model: evaluator, seed: 0)
      guard let analysis = agent.analyze(position) else {
        return Thought(choice: agent.choice(in: position), analysis: nil)
      }
      return Thought(analysis)
    }
  }

  /// The agents that a server offers without a model of Set.
  public static let offered = [search(by: HeuristicSetEvaluator(), usesModel: false, title: "Search by the heuristic")]

  /// The agents that a server offers with a model of Set; the model comes first.
  ///
  /// - Parameters:
  ///   - model: the model's evaluator, of the standard rules
  ///   - title: the model's name for people
  public static func offered(model: some SetEvaluator, title: String) -> [SetWebAgent] {
    [
      .greedy(by: model, usesModel: true, name: "network", title: "Network \(title)"),
      search(by: model, usesModel: true, title: "Search by \(title)"),
    ]
  }
}
