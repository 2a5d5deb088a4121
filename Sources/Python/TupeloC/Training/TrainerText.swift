// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloModels
internal import TupeloTraining

/// Facts about a trainer, as JSON.
private struct TrainerText: Encodable {
  let game: String
  let games: Int
  let moves: Int
  let target: Int
  let configuration: String
  let learner: String
  let structure: String
  let memoryBytes: Int
  let groupGames: Int
  let threads: Int
  let hugePages: Bool
  let evaluation: Evaluation
  let warnings: [String]

  /// The settings of evaluations during training.
  struct Evaluation: Encodable {
    let everyGames: Int
    let games: Int
    let plies: Int

    private enum CodingKeys: String, CodingKey {
      case games, plies
      case everyGames = "every_games"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case game, games, moves, target, configuration, learner, structure, threads, evaluation, warnings
    case memoryBytes = "memory_bytes"
    case groupGames = "group_games"
    case hugePages = "huge_pages"
  }

  init(_ object: TrainerObject) {
    let trainer = object.trainer
    let settings = trainer.configuration
    game = settings.game.name
    (games, moves, target) = (trainer.games, trainer.moves, settings.training.games)
    configuration = settings.yaml
    learner = settings.learnerText(after: trainer.games)
    structure = settings.model.canonicalText
    memoryBytes = Trainer.memory(of: settings)
    threads = settings.training.threads
    groupGames = threads == 1 && (settings.dense.isDense || settings.gamesAtOnce > 1) ? settings.groupGames : 1
    hugePages = trainer.hasHugePages
    let interim = settings.evaluation
    evaluation = Evaluation(everyGames: interim.everyGames, games: interim.interimGames, plies: interim.plies)
    warnings = object.warnings
  }
}

@c @implementation
public func tupelo_trainer_info(
  _ trainer: Int64, _ text: UnsafeMutablePointer<CChar>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let length = try unsafe Memory.array(length, 1, "length")
    try Objects.exclusive(trainer, as: TrainerObject.self) { object in
      try unsafe CText.write(JSONText.line(TrainerText(object)), text, capacity, length)
    }
  }
}
