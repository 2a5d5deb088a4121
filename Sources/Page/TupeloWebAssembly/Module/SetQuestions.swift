internal import SetEngine

// The subjects of questions about Set, read from their texts.

extension SetLine {
  /// The game of a seed and choices.
  ///
  /// - Parameters:
  ///   - seed: a whole number
  ///   - number: the number of the game, a whole number
  ///   - player: who plays, for the record
  ///   - choices: three cards or `deal` each, with commas or spaces between them
  init(seed: String, number: String, player: String, choices: String) throws(SetProblem) {
    guard player.utf8.count <= Self.nameLimit else { throw .badName(player) }
    self.init(
      seed: try Self.number(seed, "seed"), number: try Self.number(number, "game"), player: player)
    let choices = choices.split { $0 == "," || $0.isSpace }
    guard choices.count <= Self.limit else { throw .tooManyChoices(choices.count, limit: Self.limit) }
    for choice in choices { try make(String(choice)) }
  }

  /// The game of a record's text, to be continued.
  init(record text: String) throws(SetProblem) {
    let (size, limit) = (text.utf8.count, Self.recordLimit)
    guard size <= limit else {
      throw .badRecord("the record has \(size) bytes: no record of Set has more than \(limit)")
    }
    let record: SetRecord
    do {
      record = try SetRecord(text: text)
    } catch {
      throw .badRecord(error.description)
    }
    guard record.steps.count <= Self.limit else { throw .tooManyChoices(record.steps.count, limit: Self.limit) }
    try self.init(record)
  }

  private static func number(_ text: String, _ parameter: String) throws(SetProblem) -> UInt64 {
    // A number may begin with a sign.
    guard let number = UInt64(text), let first = text.utf8.first, first >= 48 else {
      throw .badNumber(parameter: parameter, text: text)
    }
    return number
  }
}

extension SetClaim {
  /// The claim of three cards in a text.
  init(text: String) throws(SetProblem) {
    let cards = try [Card](listed: text, "cards")
    guard cards.count == 3, let claim = SetClaim(cards[0], cards[1], cards[2]) else {
      throw .badCards(parameter: "cards", reason: "\(cards.count) cards: give three")
    }
    self = claim
  }
}

extension SetPosition {
  /// The position of the cards in two texts.
  init(table: String, unseen: String) throws(SetProblem) {
    let (table, unseen) = (try [Card](listed: table, "table"), try [Card](listed: unseen, "unseen"))
    do {
      try self.init(table: CardSet(table), unseen: CardSet(unseen))
    } catch {
      throw .badCards(parameter: "table", reason: error.description)
    }
  }
}

extension [Card] {
  fileprivate init(listed text: String, _ parameter: String) throws(SetProblem) {
    do {
      self = try Card.list(text)
    } catch {
      throw .badCards(parameter: parameter, reason: error.description)
    }
  }
}

/// The reason why a question about Set gets no answer.
enum SetProblem: Error {
  case badNumber(parameter: String, text: String)
  case badCards(parameter: String, reason: String)
  case badRecord(String)
  case badChoice(String, number: Int, reason: String)
  case tooManyChoices(Int, limit: Int)
  case badName(String)
  case noAgent(String, known: [String])
}

extension SetProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .badNumber(let parameter, let text):
      "\(parameter) is '\(String(text.prefix(40)))': give a whole number, 0 to \(UInt64.max)"
    case .badCards(let parameter, let reason): "\(parameter): \(reason)"
    case .badRecord(let reason): reason
    case .badChoice(let text, let number, let reason): "choice \(number) is '\(String(text.prefix(40)))': \(reason)"
    case .tooManyChoices(let count, let limit): "\(count) choices are too many: no game has more than \(limit)"
    case .badName(let name):
      "player is '\(String(name.prefix(40)))': give a name of at most \(SetLine.nameLimit) bytes"
    case .noAgent(let name, let known):
      "no agent is called '\(String(name.prefix(40)))': there is \(known.joined(separator: ", "))"
    }
  }
}
