// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloModels
internal import TupeloRuns
internal import TupeloTraining

/// Facts about a run, as JSON.
private struct RunText: Encodable {
  let folder: String
  let game: String
  let games: Int
  let moves: Int
  let seconds: Double
  let configuration: String
  let learner: String
  let evaluation: [String: Series]
  let rules: Rules?
  let warnings: [String]

  /// The games of an evaluation.
  struct Series: Encodable {
    let games: Int
    let seed: UInt64
    let plies: Int
  }

  struct Rules: Encodable {
    let rows: Int
    let columns: Int
    let fourProbability: Double
    let startTiles: Int

    private enum CodingKeys: String, CodingKey {
      case rows, columns
      case fourProbability = "four_probability"
      case startTiles = "start_tiles"
    }
  }

  init(_ object: RunObject) {
    let (run, settings) = (object.run, object.run.configuration)
    folder = run.directory.path
    game = settings.game.name
    (games, moves, seconds) = run.progress
    configuration = settings.yaml
    learner = settings.own.learner ?? ""
    let evaluation = settings.evaluation
    self.evaluation = [
      "final": Series(games: evaluation.games, seed: evaluation.seed, plies: evaluation.plies),
      "interim": Series(games: evaluation.interimGames, seed: evaluation.interimSeed, plies: evaluation.plies),
    ]
    let board = settings.rules
    rules =
      settings.game == .twentyFortyEight
      ? Rules(
        rows: board.shape.rows, columns: board.shape.columns, fourProbability: board.fourProbability,
        startTiles: board.startTiles) : nil
    warnings = object.warnings
  }
}

@c @implementation
public func tupelo_run_info(
  _ run: Int64, _ text: UnsafeMutablePointer<CChar>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let length = try unsafe Memory.array(length, 1, "length")
    try Objects.exclusive(run, as: RunObject.self) { object in
      try unsafe CText.write(JSONText.line(RunText(object)), text, capacity, length)
    }
  }
}
