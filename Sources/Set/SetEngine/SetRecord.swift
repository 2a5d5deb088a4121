/// A whole game of Set, stored as choices and deals. It replays bit for bit without a random generator.
public struct SetRecord: Hashable, Sendable {
  /// Facts about the game other than its turns.
  public struct Header: Hashable, Sendable {
    public var rules: SetRules
    /// Seed and number of the game's random stream; `nil` when the deck was shuffled by hand or by another program.
    public var seed: UInt64?
    public var gameNumber: UInt64?
    /// The agent's specification, or "person".
    public var agent: String
    /// The identity of the model that played, if there was one: a hash of its weights.
    public var model: String?
    /// The cards of the first deal, by place.
    public var start: [Card]

    public init(
      rules: SetRules = .standard, start: [Card], agent: String, model: String? = nil, seed: UInt64? = nil,
      gameNumber: UInt64? = nil
    ) {
      self.rules = rules
      self.start = start
      self.agent = agent
      self.model = model
      self.seed = seed
      self.gameNumber = gameNumber
    }
  }

  /// One turn: a Set taken, or three more cards asked for, and the cards dealt after it.
  public struct Step: Hashable, Sendable {
    /// `nil` when three more cards were dealt.
    public let taken: Trio?
    /// In the order of the places that they filled.
    public let dealt: [Card]

    public init(taken: Trio?, dealt: [Card]) {
      self.taken = taken
      self.dealt = dealt
    }
  }

  public let header: Header
  public private(set) var steps: [Step]

  public init(_ header: Header, steps: [Step] = []) {
    self.header = header
    self.steps = steps
  }

  /// The turn of a game that started with the cards of the header.
  public mutating func append(_ turn: SetGame.Turn) {
    let taken = turn.taken.flatMap { Trio($0.0, $0.1, $0.2) }
    steps.append(Step(taken: taken, dealt: Array(turn.dealt)))
  }

  /// Takes back the last `count` steps.
  public mutating func removeLast(_ count: Int = 1) {
    steps.removeLast(min(count, steps.count))
  }

  /// The game at every moment from the start to the end, one more than there are steps.
  ///
  /// In these games the deck begins with the cards in the record. Other cards follow in the order of their index.
  ///
  /// - Throws: `SetRecordError`, with the number of the step (from 1; the first deal is step 0).
  public func replay() throws(SetRecordError) -> [SetGame] {
    var game = SetGame(deck: try deck(), tableSize: header.rules.tableSize)
    var games = [game]
    for (index, step) in steps.enumerated() {
      let turn: SetGame.Turn?
      if let trio = step.taken {
        turn = game.take(trio)
      } else {
        turn = game.dealMore()
      }
      guard let turn else { throw step.taken.map { .notOnTable($0, step: index + 1) } ?? .notStuck(step: index + 1) }
      guard turn.dealt.count == step.dealt.count else {
        throw .wrongDeal(found: step.dealt.count, expected: turn.dealt.count, step: index + 1)
      }
      games.append(game)
    }
    return games
  }

  /// The cards in the order of dealing, then all other cards.
  private func deck() throws(SetRecordError) -> [Card] {
    let expected = min(header.rules.tableSize, header.rules.cardCount)
    guard header.start.count == expected else {
      throw .wrongDeal(found: header.start.count, expected: expected, step: 0)
    }
    var (order, left) = (header.start, header.rules.deck)
    order.reserveCapacity(header.rules.cardCount)
    for step in steps { order += step.dealt }
    for (index, card) in order.enumerated() {
      guard left.contains(card) else { throw .notInDeck(card, step: stepNumber(ofCard: index)) }
      left.remove(card)
    }
    return order + left
  }

  /// The step that dealt the card at a place of the deck.
  private func stepNumber(ofCard index: Int) -> Int {
    var end = header.start.count
    for (number, step) in steps.enumerated() {
      if index < end { return number }
      end += step.dealt.count
    }
    return steps.count
  }
}

/// Why a text is not a record of a game of Set, or a record not a game.
public enum SetRecordError: Error, Hashable, Sendable {
  case badHeader(String)
  /// The record belongs to another game, named by the key of its header.
  case otherGame(String)
  case newerFormat(Int, supported: Int)
  case badStep(String, step: Int, reason: String)
  case notOnTable(Trio, step: Int)
  case notStuck(step: Int)
  case notInDeck(Card, step: Int)
  case wrongDeal(found: Int, expected: Int, step: Int)
}

extension SetRecordError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badHeader(let reason):
      "the first line is not the header of a record of Set: \(reason)"
    case .otherGame(let game):
      "this is a record of \(game), not of Set: use a record whose first line has tupelo_set_record"
    case .newerFormat(let found, let supported):
      "the record has format \(found), this program reads up to \(supported): use a newer tupelo"
    case .badStep(let text, let step, let reason):
      "step \(step) is '\(text)': \(reason)"
    case .notOnTable(let trio, let step):
      "step \(step) takes \(trio), which is not on the table: the record is damaged or of other rules"
    case .notStuck(let step):
      "step \(step) deals three more, but the table has a Set or the deck is empty: the record is damaged"
    case .notInDeck(let card, let step):
      "step \(step) deals \(card), which was dealt before or is not in this deck: the record is damaged"
    case .wrongDeal(let found, let expected, let step):
      "step \(step) deals \(found) cards where the rules deal \(expected): the record is damaged or of other rules"
    }
  }
}
