internal import Safetensors
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloTraining

/// The players of a command: decides which game they play, and loads each model once, however many play by it.
struct Entrants {
  let game: any CommandPlayer.Type
  private let spawn: SpawnOptions
  private var models: [String: TrainedModel] = [:]
  /// Open files whose headers have been read, and not yet their weights.
  private var files: [String: (file: SafetensorsFile, header: ModelDescription)] = [:]

  /// - Parameters:
  ///   - named: the game, where the command line says it
  ///   - agents: the agents of all players
  ///   - paths: the models that the command line names
  /// - Throws: where the players are of different games; the errors of reading a model file's header.
  init(game named: GameKind?, agents: [NamedPlayer], paths: [String], spawn: SpawnOptions) throws {
    self.spawn = spawn
    var game = named
    for path in paths {
      let file = try SafetensorsFile(path: ShippedModel.file(at: path))
      let header = try ModelDescription(in: file, of: .program)
      if let game, header.game != game { throw TrainedModelError.otherGame(path: path, header.game, wanted: game) }
      game = header.game
      files[file.path] = (file, header)
    }
    self.game =
      game.map(CommandGames.of) ?? CommandGames.all.first { game in agents.allSatisfy { $0.isKnown(in: game) } }
      ?? CommandGames.all[0]
    try self.game.check(spawn)
  }

  /// - Parameters:
  ///   - agent: the player's agent
  ///   - path: the player's model, where one is named
  mutating func entrant(_ agent: NamedPlayer, path: String?) throws -> Entrant {
    try game.entrant(agent, path: path, spawn) { try model($0) }
  }

  private mutating func model(_ path: String) throws -> TrainedModel {
    if let model = models[path] { return model }
    let model =
      if let (file, header) = files.removeValue(forKey: path) {
        TrainedModel(try header.structure.model(in: file))
      } else { try TrainedModel(path: path, of: .program) }
    models[path] = model
    return model
  }
}

/// Someone who enters an evaluation, of any game.
struct Entrant: Sendable {
  /// The agent's specification.
  let agent: String
  /// The title of the player and its model.
  let title: String
  /// A note about the player that is used because none was named; `nil` when one was named.
  let note: String?
  let rules: GameRules
  let model: TrainedModel?
  /// Makes a player; each thread has its own.
  let makePlayer: @Sendable () throws -> any GamePlayer
}
