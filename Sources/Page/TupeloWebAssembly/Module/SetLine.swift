internal import SetEngine
internal import TupeloEngine

/// A game of Set as a page holds it: the seed of its deck and the choices made. Everything else follows from them.
struct SetLine: Sendable {
  let seed: UInt64
  let number: UInt64
  private(set) var game: SetGame
  private(set) var record: SetRecord

  /// No game has more choices: there are 27 Sets, and 69 cards to deal three at a time.
  static let limit = 50
  /// The largest record in bytes. A step has at most 25, and an agent's text some hundreds.
  static let recordLimit = 16 << 10
  /// The longest name of a player in bytes.
  static let nameLimit = 200
  /// The choice to have three more cards dealt, as requests write it.
  static let deal = "deal"

  /// A fresh game with the deck of a seed and a number: the same game as game `number` of `SetGames(seed:)`.
  init(seed: UInt64, number: UInt64, player: String) {
    var random = RandomStream(seed: seed, stream: number)
    (self.seed, self.number) = (seed, number)
    game = SetGame(using: &random)
    record = SetRecord(.init(start: game.table, agent: player, seed: seed, gameNumber: number))
  }

  /// Makes one more choice, in the form of a request: three cards, such as `1rsd2rsd3rsd`, or `deal`.
  ///
  /// - Throws: `SetProblem` when the text is not a choice, or when the rules do not allow it.
  mutating func make(_ choice: String) throws(SetProblem) {
    let number = record.steps.count + 1
    guard choice.inLowerCase != Self.deal else {
      guard let turn = game.dealMore() else {
        let reason =
          game.hint == nil
          ? "the deck is empty" : "there is a Set on the table, and three more are dealt only when there is none"
        throw .badChoice(Self.deal, number: number, reason: reason)
      }
      record.append(turn)
      return
    }
    let cards = try Self.cards(choice, number: number)
    guard let claim = SetClaim(cards[0], cards[1], cards[2]) else {
      throw .badChoice(choice, number: number, reason: "it has a card twice")
    }
    guard let trio = Trio(cards[0], cards[1], cards[2]) else {
      throw .badChoice(choice, number: number, reason: "it is not a Set: " + claim.faults.joined(separator: ", "))
    }
    guard let turn = game.take(trio) else {
      throw .badChoice(choice, number: number, reason: "one of its cards is not on the table")
    }
    record.append(turn)
  }

  private static func cards(_ text: String, number: Int) throws(SetProblem) -> [Card] {
    guard text.utf8.count == 12, text.count == 12 else {
      throw .badChoice(text, number: number, reason: "a choice is three cards, such as 1rsd2rsd3rsd, or deal")
    }
    do {
      return try stride(from: 0, to: 12, by: 4).map { start throws(CardTextError) in
        try Card(text: text.dropFirst(start).prefix(4))
      }
    } catch {
      throw .badChoice(text, number: number, reason: error.description)
    }
  }

  /// The game of a record, to be continued: its deck is the one of its seed.
  ///
  /// - Throws: `SetProblem` for a text that is not a record, has no seed, or has other cards than its seed deals.
  init(_ record: SetRecord) throws(SetProblem) {
    guard record.header.rules == .standard else {
      throw .badRecord("the record is of a deck of \(record.header.rules.cardCount) cards: the page plays 81")
    }
    guard let seed = record.header.seed else {
      throw .badRecord("the record names no seed, so that the cards after it are not known")
    }
    let number = record.header.gameNumber ?? 0
    self.init(seed: seed, number: number, player: record.header.agent)
    do {
      _ = try record.replay()
    } catch {
      throw .badRecord(error.description)
    }
    for (index, step) in record.steps.enumerated() {
      if let trio = step.taken {
        if let turn = game.take(trio) { self.record.append(turn) }
      } else if let turn = game.dealMore() {
        self.record.append(turn)
      }
      guard self.record.steps.count == index + 1, self.record.steps[index] == step else { break }
    }
    guard self.record.header.start == record.header.start, self.record.steps == record.steps else {
      throw .badRecord("the record's cards are not those that its seed deals: another program shuffled them")
    }
  }
}

extension SetRecord.Step {
  /// The choice, in the form of a request.
  var choice: String {
    taken.map { $0.first.notation + $0.second.notation + $0.third.notation } ?? SetLine.deal
  }
}
