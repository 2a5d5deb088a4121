internal import SetAgents
internal import SetEngine

/// A player of Set in a page.
struct SetWebAgent {
  /// The response to a request about a position.
  struct Thought {
    /// The Set that the agent takes; `nil` when the game is over.
    let choice: Trio?
    /// The values of all choices; `nil` for an agent without values.
    let analysis: SetAnalysis?

    /// The choice of an agent without values.
    init(_ choice: Trio?) { (self.choice, analysis) = (choice, nil) }

    /// The best choice of an analysis.
    init(_ analysis: SetAnalysis) { (choice, self.analysis) = (analysis.best?.trio, analysis) }
  }

  /// The number by which an agent without values compares choices.
  enum Criterion {
    /// The number of other Sets that stay on the table.
    case tableSets
    /// The number of Sets among all cards not yet taken.
    case setsLeft
    case none
  }

  /// The name in requests, such as `counting`.
  let name: String
  let criterion: Criterion
  /// Computes the response for a position of a game with the standard rules.
  let think: (SetPosition) -> Thought

  /// Makes an agent that plays exactly near the end.
  ///
  /// - Parameters:
  ///   - exactCards: the number of cards in the deck from which the agent plays exactly
  ///   - think: computes the response before that
  private init(
    _ name: String, by criterion: Criterion = .none, exactCards: Int = 0, _ think: @escaping (SetPosition) -> Thought
  ) {
    let endgame = Endgame(cards: exactCards)
    (self.name, self.criterion) = (name, criterion)
    self.think = { endgame.includes(unseen: $0.unseen) ? Thought(endgame.analyze($0)) : think($0) }
  }

  /// Makes the agent that takes random Sets, also at the end.
  private init(random name: String) {
    (self.name, criterion) = (name, .none)
    think = { position in
      var player = RandomSetPlayer(seed: Module.shared.agentStream.next())
      return Thought(player.choice(in: position))
    }
  }

  /// Makes an agent that takes the choice with the highest value of an evaluator (1-ply).
  private static func greedy(_ name: String, by evaluator: some SetEvaluator) -> SetWebAgent {
    SetWebAgent(name, exactCards: 6) { position in
      var player = GreedySetPlayer(evaluator)
      return Thought(player.analyze(position))
    }
  }

  /// Makes the agents of a page.
  ///
  /// - Parameter network: the learned values, by which the first agent plays; `nil` while there are none
  static func all(_ network: SetNetwork?) -> [SetWebAgent] {
    let simple = [
      greedy("heuristic", by: HeuristicSetEvaluator()),
      SetWebAgent("counting", by: .setsLeft) { position in
        var player = CountingPlayer()
        return Thought(player.choice(in: position))
      },
      SetWebAgent("most-left", by: .tableSets) { position in
        var player = MostLeftPlayer()
        return Thought(player.choice(in: position))
      },
      SetWebAgent(random: "random"),
    ]
    guard let network else { return simple }
    return [greedy("network", by: network)] + simple
  }

  static func named(_ name: String, of agents: [SetWebAgent]) throws(SetProblem) -> SetWebAgent {
    guard let agent = agents.first(where: { $0.name == name }) else {
      throw .noAgent(name, known: agents.map { $0.name })
    }
    return agent
  }
}
