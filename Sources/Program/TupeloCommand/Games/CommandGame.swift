internal import Safetensors
internal import TupeloTraining

/// A game in the commands: its agents, the model that comes with the program, and how it is played and shown.
protocol CommandGame: Sendable {
  var kind: GameKind { get }
  /// The folder in `models` of the model that plays when none is named.
  var shippedModel: String { get }
  /// The part of `tupelo help agents` about its agents.
  var agentGuide: String { get }
  /// Options of `evaluate` that make a model search.
  var searchOption: String { get }

  /// The manner of play in the evaluation of a run, to follow "evaluation": ` at 2-ply`.
  func manner(_ evaluation: RunConfiguration.Evaluation) -> String

  /// Whether an agent of the game has a name.
  func hasAgent(named name: String) -> Bool
  /// Makes sure that the game has an agent.
  ///
  /// - Throws: `CommandEnd.wrong`.
  func check(_ agent: NamedAgent) throws
  /// - Throws: `CommandEnd.wrong` when an option is given that does not belong to the game.
  func check(_ spawn: SpawnOptions) throws

  /// A player of an evaluation.
  ///
  /// - Parameters:
  ///   - path: the player's model, if one is named
  ///   - load: gives the model of a file
  func entrant(
    _ agent: NamedAgent, path: String?, _ spawn: SpawnOptions, load: (String) throws -> TrainedModel
  ) throws -> Entrant

  func play(_ command: PlayCommand, _ interrupt: Interrupt) throws
  func autoplay(_ command: AutoplayCommand, _ interrupt: Interrupt, _ output: OutputFile?) throws

  /// Adds a model to what the page offers.
  ///
  /// - Throws: `CommandEnd` for a model that the page cannot show.
  func offer(_ model: TrainedModel, in file: SafetensorsFile, path: String, on page: inout PageOffer) throws
}

/// The games of the commands: a row for each game of `GameCatalogue.program`, in the same order.
package enum CommandGames {
  /// In the order in which a command line is tried on them.
  static let all: [any CommandGame] = [BoardCommands(), SetCommands()]

  /// The names of the games, in the order of `all`.
  package static var names: [String] { all.map(\.kind.name) }

  /// The commands of a game.
  static func of(_ kind: GameKind) -> any CommandGame {
    guard let game = all.first(where: { $0.kind == kind }) else { preconditionFailure("no commands of \(kind.title)") }
    return game
  }
}
