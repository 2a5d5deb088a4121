internal import TupeloBase
public import TupeloTraining

/// Why a run has stopped before its last game, by its own settings.
public enum EarlyStop: Hashable, Sendable {
  /// An evaluation during training has reached `evaluation.target`. Both are average scores.
  case target(Double, score: Double, game: GameKind)
  /// This many evaluations during training have found no better model: `evaluation.patience`.
  case patience(Int)
  /// The command of `output.on_checkpoint` has asked for it.
  case command

  /// The setting with which a resumed run does not stop for this reason, `key=value`; `nil` where it need not change.
  var release: String? {
    switch self {
    case .target: "evaluation.target=0"
    case .patience: "evaluation.patience=0"
    case .command: nil
    }
  }
}

extension EarlyStop: CustomStringConvertible {
  public var description: String {
    switch self {
    case .target(let target, let score, let game):
      "an evaluation has an average score of \(game.text(ofMean: score)), and evaluation.target is "
        + game.text(ofMean: target)
    case .patience(let count):
      "the last \(CountText.text(count, "evaluation")) found no better model (evaluation.patience)"
    case .command: "the command of output.on_checkpoint ended with exit status \(CheckpointHook.stopStatus)"
    }
  }
}

extension RunConfiguration.Evaluation {
  /// Whether evaluations during training may stop the run.
  var mayStop: Bool { everyGames > 0 && (patience > 0 || target > 0) }
}

/// The evaluations during training so far, as far as an early stop depends on them. An evaluation of another kind
/// begins a new history: scores of different games or search depths cannot be ranked.
struct EvaluationHistory {
  private var kind: EvaluationKind?
  /// The games of the last one; 0 before the first one.
  private(set) var games = 0
  /// The highest average score.
  private var highest = -Double.infinity
  /// The highest lower end of a 95% interval.
  private var bestLow = -Double.infinity
  /// The number of evaluations since the best one.
  private var misses = 0

  init(kind: EvaluationKind? = nil) { self.kind = kind }

  /// Adds an evaluation, with its average score and the lower end of the interval.
  mutating func add(games: Int, mean: Double, low: Double, kind: EvaluationKind) {
    if kind != self.kind { self = EvaluationHistory(kind: kind) }
    self.games = games
    highest = max(highest, mean)
    misses = low > bestLow ? 0 : misses + 1
    bestLow = max(bestLow, low)
  }

  /// Forgets evaluations of another kind than the next ones.
  mutating func expect(_ kind: EvaluationKind) {
    guard kind != self.kind else { return }
    let games = games
    self = EvaluationHistory(kind: kind)
    self.games = games
  }

  /// Why the run is over; `nil` while it is not.
  func stop(_ settings: RunConfiguration.Evaluation, _ game: GameKind) -> EarlyStop? {
    guard settings.everyGames > 0 else { return nil }
    if settings.target > 0, highest >= settings.target {
      return .target(settings.target, score: highest, game: game)
    }
    return settings.patience > 0 && misses >= settings.patience ? .patience(misses) : nil
  }
}
