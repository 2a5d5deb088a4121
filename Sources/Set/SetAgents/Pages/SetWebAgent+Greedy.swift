package import SetEngine

extension SetWebAgent {
  /// With how many cards in the deck agents that value choices begin to play exactly.
  package static let exactCards = 6

  /// Makes an agent that takes what an evaluator values most (1-ply).
  package static func greedy(
    by evaluator: some SetEvaluator, usesModel: Bool, name: String, title: String
  ) -> SetWebAgent {
    let endgame = Endgame(cards: exactCards)
    return SetWebAgent(name: name, title: title, criterion: .value, usesModel: usesModel) { position in
      if endgame.includes(unseen: position.unseen) { return Thought(endgame.analyze(position)) }
      var player = GreedySetPlayer(evaluator)
      return Thought(player.analyze(position))
    }
  }
}

extension SetWebAgent.Thought {
  /// The choice that an analysis finds best.
  package init(_ analysis: SetAnalysis) { self.init(choice: analysis.best?.trio, analysis: analysis) }
}
