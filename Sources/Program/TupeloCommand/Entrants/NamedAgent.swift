/// An agent as named on the command line, before it is known which game it plays.
struct NamedAgent {
  /// The agent's text; `nil` for the agent that plays when none is named.
  let text: String?
  /// The option that gives the text, such as `--agent`.
  let option: String

  /// Whether the game has such an agent.
  func isKnown(in game: any CommandGame) -> Bool {
    do {
      try game.check(self)
      return true
    } catch {
      return false
    }
  }

  /// - Throws: `CommandEnd.wrong` for an agent that no game has. Its text is about the first game that has the name, or
  ///   about 2048.
  func validate() throws {
    guard let text, !CommandGames.all.contains(where: isKnown) else { return }
    let name = text.prefix { $0 != "(" }.filter { !$0.isWhitespace }
    try (CommandGames.all.first { $0.hasAgent(named: name) } ?? CommandGames.all[0]).check(self)
  }
}
