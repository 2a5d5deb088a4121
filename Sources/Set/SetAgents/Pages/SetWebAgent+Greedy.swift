package import SetEngine

extension SetWebAgent {
  /// The number of cards in the deck from which agents that value choices play exactly.
  package static let exactCards = 6

  /// Makes an agent that takes the choice with the highest value of an evaluator (1-ply).
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
  /// The best choice of an analysis.
  package init(_ analysis: SetAnalysis) { self.init(choice: analysis.best?.trio, analysis: analysis) }
}
