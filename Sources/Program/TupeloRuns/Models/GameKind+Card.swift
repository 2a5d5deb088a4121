internal import TupeloTraining

/// What model cards say about each game.
extension GameKind {
  /// The tag of models on Hugging Face, and the name of the data set that results are filed under.
  var tag: String {
    switch self {
    case .twentyFortyEight: "2048"
    case .set: "set-card-game"
    }
  }

  /// The tags of a model's kind.
  var kindTags: [String] {
    switch self {
    case .twentyFortyEight: ["n-tuple-network", "temporal-difference-learning"]
    case .set: ["temporal-difference-learning"]
    }
  }

  /// The first sentence of a card.
  var introduction: String {
    switch self {
    case .twentyFortyEight:
      "An n-tuple network that plays 2048: a value for every afterstate, learned by temporal differences from games "
        + "against itself."
    case .set:
      "A table network that plays the card game Set: the number of Sets still to come after each choice, learned by "
        + "temporal differences from games against itself."
    }
  }

  /// What the columns of the table of evaluations mean.
  var legend: String {
    switch self {
    case .twentyFortyEight:
      "Scores in points, with the 95% interval of the average; then the share of games that reached a tile."
    case .set:
      "Scores in Sets (27 at most), with the 95% interval of the average; then the share of games by the number of "
        + "cards left over. A game that leaves none is perfect."
    }
  }

  /// The outcomes that at least one evaluation saw: tiles from 2048 on, or numbers of cards left over.
  func outcomes(of evaluations: [ModelEvaluation]) -> [Int] {
    let seen = Set(evaluations.flatMap { $0.rates.filter { $0.value > 0 }.map(\.key) })
    return seen.filter { self == .set || $0 >= 2048 }.sorted()
  }

  /// The head of an outcome's column.
  func title(ofOutcome outcome: Int) -> String {
    switch self {
    case .twentyFortyEight: "\(outcome)"
    case .set: outcome == 0 ? "perfect" : "\(outcome) left"
    }
  }

  /// Type and name of the metric that an outcome's rate is.
  func metric(ofOutcome outcome: Int, agent: String) -> (type: String, name: String) {
    switch self {
    case .twentyFortyEight: ("reach_rate_\(outcome)", "share of games with a tile of \(outcome), \(agent)")
    case .set: ("left_rate_\(outcome)", "share of games with \(outcome) cards left over, \(agent)")
    }
  }

  /// A mean score as a plain number.
  func plainText(ofMean mean: Double) -> String {
    switch self {
    case .twentyFortyEight: NumberText.decimals(mean, 1)
    case .set: NumberText.decimals(mean, 4)
    }
  }
}
