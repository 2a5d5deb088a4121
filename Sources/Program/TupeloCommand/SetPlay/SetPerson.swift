internal import SetAgents
internal import SetEngine
internal import TupeloBase

/// A person plays Set in the terminal, with hints.
struct SetPerson: PersonPlay {
  static let keys = "three letters take a Set, + three more cards, ? hint, u undo, r redo, n new, q quit"

  private let view = SetTableView(usesColour: Terminal.usesColour)
  private var agent: AnySetAgent
  private let coach: String
  /// The places that the player has named, up to two while the third is awaited.
  private var chosen: [Int] = []

  /// - Parameters:
  ///   - agent: who gives hints
  ///   - coach: its title
  init(_ agent: AnySetAgent, coach: String, _ interrupt: Interrupt) {
    (self.agent, self.coach) = (agent, coach)
    self.agent.stop { interrupt.isRequested }
  }

  func lines(of session: PlaySession<SetGame>) -> [String] {
    let game = session.game
    return view.lines(of: game.table, marked: chosen) + [
      "Sets \(game.score)   cards in the deck \(game.deckCount)   turns \(Format.grouped(session.turnCount))"
    ]
  }

  func end(of game: SetGame) -> String? { game.isOver ? "game over, \(Self.left(in: game))" : nil }

  func result(of game: SetGame) -> String { "\(Format.counted(game.score, "Set")), \(Self.left(in: game))" }

  private static func left(in game: SetGame) -> String {
    game.table.isEmpty ? "nothing left over" : "\(Format.counted(game.table.count + game.deckCount, "card")) left"
  }

  mutating func press(_ key: Keystroke, _ session: inout PlaySession<SetGame>) -> String? {
    guard case .character(let character) = key else { return nil }
    if let place = SetTableView.place(of: character), place < session.game.table.count {
      return choose(place, &session)
    }
    chosen = []
    switch character {
    case "+":
      if session.play({ $0.dealMore() }) { return "three more cards" }
      let trios = session.game.tableCards.setCount
      return trios > 0
        ? "there \(trios == 1 ? "is a Set" : "are \(trios) Sets") on the table: three more are dealt when there is none"
        : "the deck is empty"
    case "?": return hint(in: session.game)
    default: return nil
    }
  }

  /// Names a card for the player's Set; the third one decides.
  private mutating func choose(_ place: Int, _ session: inout PlaySession<SetGame>) -> String {
    if let index = chosen.firstIndex(of: place) {
      chosen.remove(at: index)
      return "\(session.game.table[place].name): put back"
    }
    chosen.append(place)
    let cards = chosen.map { session.game.table[$0] }
    guard cards.count == 3 else { return cards.map(\.name).joined(separator: ", ") }
    chosen = []
    guard let trio = Trio(cards[0], cards[1], cards[2]) else {
      let faults = SetClaim(cards[0], cards[1], cards[2])?.faults ?? []
      return "no Set: " + faults.joined(separator: ", ")
    }
    return session.play({ $0.take(trio) }) ? "a Set: \(trio)" : "no Set"
  }

  /// The best Set by its keys and how much worse the others are.
  private mutating func hint(in game: SetGame) -> String {
    guard let position = game.position else { return "no Set is on the table: + deals three more" }
    func keys(_ trio: Trio) -> String {
      let places = [trio.first, trio.second, trio.third].compactMap { game.table.firstIndex(of: $0) }
      return String(places.map { SetTableView.keys[$0] })
    }
    guard let analysis = agent.analyze(position) else {
      return agent.choice(in: position).map { "hint: \(keys($0)), by \(coach)" } ?? "the game is over"
    }
    guard let best = analysis.best else { return "the game is over" }
    let others = analysis.candidates.dropFirst().map { "\(keys($0.trio)) \(Format.decimals($0.difference, 2))" }
    return "hint: \(keys(best.trio))" + (others.isEmpty ? "" : " (" + others.joined(separator: ", ") + ")")
      + ", by \(coach)"
  }
}

extension SetRecord: SessionRecord {}

extension SetGame: SessionGame {
  static func begin(rules: SetRules, seed: UInt64) -> SetGame {
    var random = RandomStream(seed: seed)
    return SetGame(rules: rules, using: &random)
  }

  func record(of turns: [Turn], rules: SetRules, by player: String) -> SetRecord {
    var record = SetRecord(.init(rules: rules, start: table, agent: player))
    for turn in turns { record.append(turn) }
    return record
  }
}
