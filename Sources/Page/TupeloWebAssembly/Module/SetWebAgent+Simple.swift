internal import SetAgents
internal import SetEngine

// The agents of Set that every page offers.

extension SetWebAgent {
  /// Makes the agent that plays by the hand-written heuristic.
  static func heuristic(_ evaluator: HeuristicSetEvaluator) -> SetWebAgent {
    greedy(by: evaluator, usesModel: false, name: "heuristic", title: "Hand-written heuristic")
  }

  /// Makes the agents that need no evaluator. A player of random Sets plays the last ones at random, too.
  ///
  /// - Parameter seed: draws a seed of random choices
  static func simple(seed: @Sendable @escaping () -> UInt64) -> [SetWebAgent] {
    let endgame = Endgame()
    let counting = SetWebAgent(name: "counting", title: "Card counting", criterion: .setsLeft) { position in
      if endgame.includes(unseen: position.unseen) { return Thought(endgame.analyze(position)) }
      var player = CountingPlayer()
      return Thought(choice: player.choice(in: position), analysis: nil)
    }
    let mostLeft = SetWebAgent(
      name: "most-left", title: "Keeps most Sets on the table", criterion: .tableSets
    ) { position in
      if endgame.includes(unseen: position.unseen) { return Thought(endgame.analyze(position)) }
      var player = MostLeftPlayer()
      return Thought(choice: player.choice(in: position), analysis: nil)
    }
    let random = SetWebAgent(name: "random", title: "Random Sets", criterion: .none) { position in
      var player = RandomSetPlayer(seed: seed())
      return Thought(choice: player.choice(in: position), analysis: nil)
    }
    return [counting, mostLeft, random]
  }

  /// The agent of a name; without a name the first one.
  static func named(_ name: String?, of agents: [SetWebAgent]) throws(SetProblem) -> SetWebAgent {
    guard let name else { return agents[0] }
    guard let agent = agents.first(where: { $0.name == name }) else {
      throw .noAgent(name, known: agents.map { $0.name })
    }
    return agent
  }
}
