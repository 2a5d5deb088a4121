public import TupeloTraining

/// The time of an evaluation in a run. Each stage has tags of its own, because their evaluations play different numbers
/// of games.
public enum EvaluationStage: String, CaseIterable, Hashable, Sendable {
  /// An evaluation during training, by `evaluation.every_games`, over `evaluation.interim_games` games.
  case interim = "eval"
  /// The evaluation of the finished network, at the end of a session, over `evaluation.games` games.
  case final

  /// The tag of the histogram of scores in event files.
  var histogramTag: String { rawValue + "/scores" }

  var metrics: (mean: Metric, low: Metric, high: Metric, games: Metric, plies: Metric, seed: Metric) {
    switch self {
    case .interim: (.evalScoreMean, .evalScoreLow, .evalScoreHigh, .evalGames, .evalPlies, .evalSeed)
    case .final: (.finalScoreMean, .finalScoreLow, .finalScoreHigh, .finalGames, .finalPlies, .finalSeed)
    }
  }

  /// The tags of its metrics.
  var tags: [String] {
    let metrics = metrics
    return [metrics.mean, metrics.low, metrics.high, metrics.games, metrics.plies, metrics.seed].map(\.tag)
  }
}

/// The games, search depth and seed of an evaluation. Scores of one kind can be ranked, because they are of the same
/// games, played at the same depth. Evaluations of earlier versions lack some of these facts.
public struct EvaluationKind: Hashable, Sendable {
  /// The number of games.
  public let games: Int?
  /// The search depth.
  public let plies: Int?
  /// The seed of the games, as metrics have it: a seed above 2^53 is rounded.
  public let seed: Double?

  public init(games: Int?, plies: Int? = nil, seed: Double? = nil) {
    (self.games, self.plies, self.seed) = (games, plies, seed)
  }

  /// Whether both evaluations have one search depth, as far as it is known. Scores of one depth can be compared, also
  /// over different games.
  package func hasDepth(of other: EvaluationKind) -> Bool { (plies ?? other.plies) == (other.plies ?? plies) }

  /// The kind of a run's evaluations during training.
  init(interim settings: RunConfiguration.Evaluation) {
    self.init(games: settings.interimGames, plies: settings.plies, seed: Double(settings.interimSeed))
  }
}

/// An average score of a run, in score points or Sets.
public struct RunScore: Hashable, Sendable {
  public let mean: Double
  /// Half the width of the 95% interval; `nil` where there is none.
  public let margin: Double?
  /// The games, search depth and seed of the evaluation.
  public let kind: EvaluationKind
  /// The games that were played for it; `nil` when the number is unknown.
  public var games: Int? { kind.games }

  public init(mean: Double, margin: Double?, kind: EvaluationKind) {
    (self.mean, self.margin, self.kind) = (mean, margin, kind)
  }
}

extension MetricsRecord {
  /// Adds the result of an evaluation: the mean, its 95% confidence interval, and what it was measured with. A single
  /// game has no interval.
  public mutating func add(_ report: EvaluationReport, plies: Int, as stage: EvaluationStage = .interim) {
    let metrics = stage.metrics
    self[metrics.mean] = report.scoreMean
    self[metrics.games] = Double(report.games)
    self[metrics.plies] = Double(plies)
    self[metrics.seed] = Double(report.seed)
    guard report.scoreMargin.isFinite else { return }
    self[metrics.low] = report.scoreMean - report.scoreMargin
    self[metrics.high] = report.scoreMean + report.scoreMargin
  }

  /// The evaluation of a stage; `nil` where the record has none.
  public func evaluation(_ stage: EvaluationStage) -> RunScore? {
    let metrics = stage.metrics
    return self[metrics.mean].map { mean in
      RunScore(
        mean: mean, margin: self[metrics.high].map { $0 - mean },
        kind: EvaluationKind(
          games: self[metrics.games].flatMap { Int(exactly: $0) },
          plies: self[metrics.plies].flatMap { Int(exactly: $0) }, seed: self[metrics.seed]))
    }
  }

  /// Whether the record has an evaluation without its number of games: records of earlier versions had one set of tags
  /// for both stages.
  var hasUnmarkedEvaluation: Bool { self[.evalScoreMean] != nil && self[.evalGames] == nil }

  /// The record with its evaluation under the tags of the final stage.
  func withFinalEvaluation() -> MetricsRecord {
    var record = self
    let (from, to) = (EvaluationStage.interim.metrics, EvaluationStage.final.metrics)
    for (old, new) in [(from.mean, to.mean), (from.low, to.low), (from.high, to.high)] {
      record[new] = self[old]
      record[old] = nil
    }
    return record
  }
}

/// Gives tags of their own to final evaluations that earlier versions wrote under the tags of interim ones.
///
/// The records of a file pass in their order. The file alone identifies such an evaluation: when two evaluations
/// followed the same number of games, the later one is final.
package struct EvaluationJudge {
  /// The tags without which it does not work.
  package static let tags = Set(EvaluationStage.allCases.flatMap(\.tags))
  private var evaluated: Int?

  package init() {}

  package mutating func judge(_ record: MetricsRecord) -> MetricsRecord {
    guard record[.evalScoreMean] != nil else { return record }
    defer { evaluated = record.games }
    return record.hasUnmarkedEvaluation && evaluated == record.games ? record.withFinalEvaluation() : record
  }
}
