public import TupeloTraining

/// A number that a training run records: its tag in metrics.jsonl and TensorBoard, its unit, and how to read its
/// learning curve.
///
/// All metrics are declared in `table(of:)`; the article Metrics shows it.
public struct Metric: Hashable, Sendable {
  public let tag: String
  public let unit: Unit
  /// The meaning, with the games that it is computed from.
  public let meaning: String
  /// The shape of its learning curve in a healthy run.
  public let healthy: String

  public enum Unit: String, Hashable, Sendable {
    /// Score points of 2048, or Sets.
    case points
    /// A share in 0...1.
    case share
    case moves
    case games
    case plies
    /// The seed of a series of games.
    case seed
    /// A factor without a unit.
    case factor
    case weights
    case movesPerSecond = "moves/s"
  }

  private init(_ tag: String, _ unit: Unit, _ meaning: String, healthy: String) {
    (self.tag, self.unit, self.meaning, self.healthy) = (tag, unit, meaning, healthy)
  }
}

extension Metric {
  public static let rolloutScoreMean = Metric(
    "rollout/score_mean", .points, "average score of the training games since the last record",
    healthy: "rises steeply, then ever more slowly; jitters by its standard error; never falls for long")
  public static let rolloutScoreMax = Metric(
    "rollout/score_max", .points, "best score of the training games since the last record",
    healthy: "rises in steps, about one per doubling of the largest tile; noisy")
  public static let rolloutMovesMean = Metric(
    "rollout/moves_mean", .moves, "average length of the training games since the last record",
    healthy: "rises with the average score")
  public static let evalScoreMean = Metric(
    "eval/score_mean", .points, "average score of an evaluation during training, played without learning",
    healthy: "above rollout/score_mean of the same time, which lags behind by half a window")
  public static let evalScoreLow = Metric(
    "eval/score_low", .points, "lower end of the 95% confidence interval of eval/score_mean",
    healthy: "narrows with the square root of eval/games")
  public static let evalScoreHigh = Metric(
    "eval/score_high", .points, "upper end of that interval of eval/score_mean", healthy: "as eval/score_low")
  public static let evalGames = Metric(
    "eval/games", .games, "games of the evaluation during training", healthy: "constant: evaluation.interim_games")
  public static let evalPlies = Metric(
    "eval/plies", .plies, "search depth of the evaluation during training", healthy: "constant: evaluation.plies")
  public static let evalSeed = Metric(
    "eval/seed", .seed, "seed of the games of the evaluation during training",
    healthy: "constant: evaluation.seed + 10^9")
  public static let finalScoreMean = Metric(
    "final/score_mean", .points, "average score of the evaluation at a session's end, played without learning",
    healthy: "one value per session that was not interrupted, within the noise of eval/score_mean after the same games")
  public static let finalScoreLow = Metric(
    "final/score_low", .points, "lower end of the 95% confidence interval of final/score_mean",
    healthy: "closer to the mean than eval/score_low where more games are played")
  public static let finalScoreHigh = Metric(
    "final/score_high", .points, "upper end of that interval of final/score_mean", healthy: "as final/score_low")
  public static let finalGames = Metric(
    "final/games", .games, "games of the evaluation at the end of a session", healthy: "constant: evaluation.games")
  public static let finalPlies = Metric(
    "final/plies", .plies, "search depth of the evaluation at the end of a session",
    healthy: "constant: evaluation.plies")
  public static let finalSeed = Metric(
    "final/seed", .seed, "seed of the games of the evaluation at the end of a session",
    healthy: "constant: evaluation.seed")
  public static let tdErrorAbs = Metric(
    "train/td_error_abs", .points, "mean size of the TD error over the updates since the last record",
    healthy: "grows with the score at first, then levels off; a jump to many times its value is divergence")
  public static let stepSize = Metric(
    "train/step_size", .factor,
    "TC: mean of abs(E) / A over the weights in use, without learner.alpha",
    healthy: "falls slowly; at 0 nothing is learned")
  public static let weightNorm = Metric(
    "train/weight_norm", .points, "Euclidean norm of all weights",
    healthy: "grows ever more slowly; growth that speeds up is divergence")
  public static let updateNorm = Metric(
    "train/update_norm", .points, "Euclidean norm of the change of all weights since it was last recorded",
    healthy: "a small part of train/weight_norm, falling")
  public static let weightsVisited = Metric(
    "train/weights_visited", .weights, "weights that are not 0",
    healthy: "grows ever more slowly, far below the size of the network")
  public static let movesPerSecond = Metric(
    "time/moves_per_second", .movesPerSecond, "training speed since the last record",
    healthy: "flat, or falling slowly while more of the tables is in use")

  /// The rates that a game records.
  private static func rolloutRates(of game: GameKind) -> [Metric] {
    game.results.recorded.map { rate in
      let (meaning, healthy) = game.results.metric(rate)
      return Metric(tag(of: rate), .share, meaning, healthy: healthy)
    }
  }

  private static let rateTag = "rollout/rate_"

  /// The tag of a recorded rate.
  static func tag(of rate: OutcomeRange) -> String { rateTag + rate.name }

  private static let first = [rolloutScoreMean, rolloutScoreMax]
  private static let last = [
    rolloutMovesMean, evalScoreMean, evalScoreLow, evalScoreHigh, evalGames, evalPlies, evalSeed, finalScoreMean,
    finalScoreLow, finalScoreHigh, finalGames, finalPlies, finalSeed, tdErrorAbs, stepSize, weightNorm, updateNorm,
    weightsVisited, movesPerSecond,
  ]

  /// All metrics of some games, in the order in which a record has them.
  public static func table(of catalogue: GameCatalogue) -> [Metric] {
    first + catalogue.games.flatMap(rolloutRates) + last
  }

  /// The place of a tag in a record, by which tags are sorted: rates by their numbers, and tags that no metric has at
  /// the end, by name.
  static func place(of tag: String) -> (place: Int, number: Int, tag: String) {
    if tag.hasPrefix(rateTag) { return (first.count, Int(tag.dropFirst(rateTag.count)) ?? .max, tag) }
    return (places[tag] ?? .max, 0, tag)
  }

  private static let places: [String: Int] = {
    let tags = (first.map(\.tag) + [rateTag] + last.map(\.tag)).enumerated()
    return Dictionary(uniqueKeysWithValues: tags.map { ($0.element, $0.offset) })
  }()
}
