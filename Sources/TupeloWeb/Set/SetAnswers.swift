internal import SetEngine

/// The JSON answer of `/set/game`: a game of Set after some choices.
struct SetGameAnswer: Encodable {
  struct NamedCard: Encodable {
    /// The notation, such as `2rtv`.
    let card: String
    /// The name, such as "two red striped ovals".
    let name: String

    init(_ card: Card) { (self.card, name) = (card.notation, card.name) }
  }

  struct Turn: Encodable {
    /// The cards that left the table; empty when three more were dealt.
    let taken: [NamedCard]
    let dealt: [NamedCard]
    /// What the taken cards have in common and what not; left out when three more were dealt.
    let pattern: String?
  }

  /// As text: JavaScript's numbers have 53 bits.
  let seed: String
  let game: String
  /// The choices so far, in the form that requests give them.
  let choices: [String]
  /// The cards on the table, by place. A card that is dealt for a taken one has its place.
  let table: [NamedCard]
  /// How many cards the deck has.
  let deck: Int
  /// The cards of the deck, in the order of their index, which says nothing of the order in which they come.
  let unseen: String
  /// How many Sets have been taken.
  let score: Int
  /// Every Set on the table, as three places each.
  let sets: [[Int]]
  /// Whether there is no Set on the table and the deck has more cards: only then are three more dealt.
  let stuck: Bool
  let over: Bool
  /// What the last choice did; left out at the start.
  let last: Turn?
  let record: String

  init(_ line: SetLine) {
    let game = line.game
    seed = String(line.seed)
    self.game = String(line.number)
    choices = line.record.steps.map(\.choice)
    table = game.table.map(NamedCard.init)
    deck = game.deckCount
    unseen = Array(game.unseen).map(\.notation).joined(separator: " ")
    score = game.score
    sets = game.matches.map { [$0.first, $0.second, $0.third] }
    stuck = game.isStuck
    over = game.isOver
    last = line.record.steps.last.map { step in
      let taken = step.taken.map { [$0.first, $0.second, $0.third] } ?? []
      let claim = step.taken.flatMap { SetClaim($0.first, $0.second, $0.third) }
      return Turn(
        taken: taken.map(NamedCard.init), dealt: step.dealt.map(NamedCard.init), pattern: claim?.pattern)
    }
    record = line.record.text
  }
}

/// The JSON answer of `/set/claim`: whether three cards are a Set.
struct SetClaimAnswer: Encodable {
  let set: Bool
  /// Why they are none, a text for each feature that is to blame.
  let faults: [String]
  /// What the cards of a Set have in common and what not; left out for cards that are none.
  let pattern: String?

  init(_ claim: SetClaim) { (set, faults, pattern) = (claim.isSet, claim.faults, claim.pattern) }
}

/// The JSON answer of `/set/analyze`: every Set on the table, and which one an agent takes.
struct SetAnalysisAnswer: Encodable {
  struct Choice: Encodable {
    let cards: [String]
    /// The expected number of Sets still to come, this one included; left out by an agent without values.
    let value: Double?
    /// `value` minus the value of the best choice, 0 or less.
    let difference: Double?
    /// How many rollouts the value comes from; left out where none were played.
    let rollouts: Int?
    /// How many other Sets stay on the table when this one is taken.
    let tableSets: Int
    /// How many Sets there are among all cards not yet taken, once this one is.
    let setsLeft: Int
  }

  let agent: String
  /// The Set that the agent takes; left out when the game is over.
  let best: [String]?
  /// Whether the values are exact: those of best play.
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
