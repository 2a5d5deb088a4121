internal import ArgumentParser
internal import TupeloReports
internal import TupeloTraining

/// The option for the game, where no model or agent determines it.
struct GameOption: ParsableArguments {
  @Option(
    name: [.customLong("game")],
    help: ArgumentHelp(
      "Game: \(CommandGames.names.joined(separator: " or ")) (default: the model's, else one that has such an agent).",
      valueName: "game"),
    completion: .list(CommandGames.names))
  var text: String?

  var game: GameKind? { text.flatMap(GameCatalogue.program.game(named:)) }

  func validate() throws {
    guard let text, game == nil else { return }
    let names = CommandGames.names.joined(separator: " or ")
    throw CommandEnd.wrong("--game is '\(text)': give \(names)")
  }
}
