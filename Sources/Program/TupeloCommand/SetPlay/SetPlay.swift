internal import SetAgents
internal import SetEngine
internal import TupeloBase

/// A person plays Set in the terminal, with hints.
struct SetPlay {
  private var session: PlaySession<SetGame>
  private var agent: AnySetAgent
  private let coach: String
  private let record: String?
  /// The places that the player has named, up to two while the third is awaited.
  private var chosen: [Int] = []

  /// - Parameters:
  ///   - coach: who gives hints
  ///   - record: where records are saved, each game in a file of its own
  init(coach: SetContestant, seed: UInt64, record: String?) {
    session = PlaySession(rules: coach.rules, seed: seed)
    agent = coach.makeAgent()
    self.coach = coach.title
    self.record = record
  }

  private static let keys = "three letters take a Set, + three more cards, ? hint, u undo, r redo, n new, q quit"

  /// Plays until the player quits, the keys end or the program is asked to stop.
  mutating func run(_ interrupt: Interrupt) throws {
    agent.stop { interrupt.isRequested }
    var screen = Screen()
    let view = SetTableView(usesColour: Terminal.usesColour)
    let keyboard = Keyboard()
    defer { keyboard.restore() }
    var note = Self.keys
    while true {
      let game = session.game
      let facts =
        "Sets \(game.score)   cards in the deck \(game.deckCount)   turns \(Format.grouped(session.turnCount))"
      let footer = game.isOver ? Self.end(of: game) : note
      screen.show(
        view.lines(of: game.table, marked: chosen) + [facts]
          + Format.wrapped(footer).split(separator: "\n").map(String.init))
      guard let key = Self.nextKey(keyboard, interrupt), key != .character("q") else { break }
      guard case .character(let character) = key else { continue }
      note = try press(character)
    }
    Terminal.line("\(Format.counted(session.game.score, "Set")), \(Self.left(in: session.game))")
    if let saved = try save() { Terminal.line("saved \(saved)") }
    if interrupt.isRequested { throw CommandEnd.stopped("stopped") }
  }

  /// Carries out the command of a key.
  ///
  /// - Returns: the message for the player.
  private mutating func press(_ key: Character) throws -> String {
    if let place = SetTableView.place(of: key), place < session.game.table.count { return choose(place) }
    chosen = []
    switch key {
    case "+":
      if session.play({ $0.dealMore() }) { return "three more cards" }
      let trios = session.game.tableCards.setCount
      return trios > 0
        ? "there \(trios == 1 ? "is a Set" : "are \(trios) Sets") on the table: three more are dealt when there is none"
        : "the deck is empty"
    case "u": return session.undo() ? "undone" : "nothing to undo"
    case "r": return session.redo() ? "redone" : "nothing to redo"
    case "n":
      let saved = try save()
      session.restart()
      return (saved.map { "saved \($0); " } ?? "") + "new game, u goes back"
    case "?": return hint()
    default: return "unknown key '\(key)': \(Self.keys)"
    }
  }

  /// Names a card for the player's Set; the third one decides.
  private mutating func choose(_ place: Int) -> String {
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
  private mutating func hint() -> String {
    let game = session.game
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

  private static func left(in game: SetGame) -> String {
    game.table.isEmpty ? "nothing left over" : "\(Format.counted(game.table.count + game.deckCount, "card")) left"
  }

  private static func end(of game: SetGame) -> String { "game over, \(left(in: game)): u undo, n new game, q quit" }

  /// Saves the record of a game that has turns.
  ///
  /// - Returns: where it is; `nil` when there is nothing to save.
  private mutating func save() throws -> String? {
    guard let record, session.turnCount > 0 else { return nil }
    let path = session.recordPath ?? RecordFile.freePath(record)
    try RecordFile.write(session.record.text, to: path)
    session.recordPath = path
    return path
  }

  /// The next key that is not white space.
  private static func nextKey(_ keyboard: Keyboard, _ interrupt: Interrupt) -> Keystroke? {
    while let key = keyboard.next(shouldStop: { interrupt.isRequested }) {
      if case .character(let character) = key, character.isWhitespace { continue }
      return key
    }
    return nil
  }
}

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
