internal import SetAgents
internal import SetEngine

/// The JSON answer of `/set/analyze`: every Set on the table, and which one an agent takes.
struct SetAnalysisAnswer: Encodable {
  struct Choice: Encodable {
    let cards: [String]
    /// The expected number of Sets still to come, this one included; left out by an agent without values.
    let value: Double?
    /// `value` minus the value of the best choice, 0 or less.
    let difference: Double?
    /// The number of rollouts behind the value; left out when none were played.
    let rollouts: Int?
    /// The number of other Sets that stay on the table when this one is taken.
    let tableSets: Int
    /// The number of Sets among all cards not yet taken, once this one is taken.
    let setsLeft: Int
  }

  let agent: String
  /// The Set that the agent takes; left out when the game is over.
  let best: [String]?
  /// Whether the values are exact: the values of best play.
  let exact: Bool
  let over: Bool
  /// The choices, best first by the agent's criterion.
  let choices: [Choice]

  init(_ choices: SetChoices) {
    agent = choices.agent
    best = choices.best.map(\.notations)
    exact = choices.isExact
    over = choices.isOver
    self.choices = choices.choices.map { choice in
      Choice(
        cards: choice.trio.notations, value: choice.value, difference: choice.difference, rollouts: choice.rollouts,
        tableSets: choice.tableSets, setsLeft: choice.setsLeft)
    }
  }
}
