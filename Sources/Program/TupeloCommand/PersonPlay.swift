/// A game as a person plays it in the terminal, with hints: the drawing, the keys and the texts of the game.
protocol PersonPlay {
  associatedtype Game: SessionGame

  /// The keys and what they do, in a line.
  static var keys: String { get }

  /// The drawing of the game with a line of facts.
  func lines(of session: PlaySession<Game>) -> [String]

  /// The game's end, in a few words; `nil` while it goes on.
  func end(of game: Game) -> String?

  /// What the player has reached.
  func result(of game: Game) -> String

  /// Carries out a key of the game.
  ///
  /// - Returns: the message for the player; `nil` for a key that the game does not have.
  mutating func press(_ key: Keystroke, _ session: inout PlaySession<Game>) -> String?
}

extension PersonPlay {
  /// Plays until the player quits, the keys end or the program is asked to stop.
  ///
  /// - Parameters:
  ///   - seed: the seed; `nil` for another game each time
  ///   - record: where records are saved, each game in a file of its own
  mutating func play(rules: Game.Rules, seed: UInt64?, record: String?, _ interrupt: Interrupt) throws {
    var session = PlaySession<Game>(rules: rules, seed: seed ?? .random(in: 0...UInt64.max))
    var screen = Screen()
    let keyboard = Keyboard()
    defer { keyboard.restore() }
    var note = Self.keys
    while true {
      let footer = end(of: session.game).map { $0 + ": u undo, n new game, q quit" } ?? note
      screen.show(
        lines(of: session)
          + Format.wrapped(footer).split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      guard let key = Self.nextKey(keyboard, interrupt), key != .character("q") else { break }
      if let text = press(key, &session) {
        note = text
        continue
      }
      guard case .character(let character) = key else { continue }
      switch character {
      case "u": note = session.undo() ? "undone" : "nothing to undo"
      case "r": note = session.redo() ? "redone" : "nothing to redo"
      case "n":
        let saved = try session.save(record)
        session.restart()
        note = (saved.map { "saved \($0); " } ?? "") + "new game, u goes back"
      default: note = "unknown key '\(character)': \(Self.keys)"
      }
    }
    Terminal.line(result(of: session.game))
    if let saved = try session.save(record) { Terminal.line("saved \(saved)") }
    if interrupt.isRequested { throw CommandEnd.stopped("stopped") }
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
