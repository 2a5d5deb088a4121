internal import Safetensors
internal import SetModels
internal import TupeloNetwork
internal import TupeloRuns
internal import TupeloTraining

/// The players of a command: decides which game they play, and loads each model once, however many play by it.
struct Entrants {
  let game: GameKind
  private let spawn: SpawnOptions
  private var models: [String: TrainedModel] = [:]

  /// - Parameters:
  ///   - named: the game, where the command line says it
  ///   - agents: the agents of all players
  ///   - paths: the models that the command line names
  /// - Throws: where the players are of different games; the errors of reading a model file's header.
  init(game named: GameKind?, agents: [NamedAgent], paths: [String], spawn: SpawnOptions) throws {
    self.spawn = spawn
    var game = named
    for path in paths {
      let file = try SafetensorsFile(path: ModelPath.file(at: path))
      let own = try ModelDescription(in: file, of: .program).game
      if let game, own != game { throw TrainedModelError.otherGame(path: path, own, wanted: game) }
      game = own
    }
    self.game =
      game ?? GameCatalogue.program.games.first { game in agents.allSatisfy { $0.isKnown(in: game) } }
      ?? .twentyFortyEight
    if self.game == .set { try spawn.refuse(for: .set) }
  }

  /// - Parameters:
  ///   - agent: the player's agent
  ///   - path: the player's model, where one is named
  mutating func entrant(_ agent: NamedAgent, path: String?) throws -> Entrant {
    guard game == .set else {
      let contestant = try Contestant(agent.boardSpecification(), path: path) { path in
        try model(path).board(path: path)
      }
      return Entrant(contestant, rules: try spawn.rules(shape: contestant.shape))
    }
    return Entrant(
      try SetContestant(agent.setSpecification(), path: path) { path in try model(path).set(path: path) })
  }

  private mutating func model(_ path: String) throws -> TrainedModel {
    let model = try models[path] ?? TrainedModel(path: path, of: .program)
    models[path] = model
    return model
  }
}
