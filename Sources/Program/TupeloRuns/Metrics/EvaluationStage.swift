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

  var metrics: (mean: Metric, low: Metric, high: Metric, games: Metric) {
    switch self {
    case .interim: (.evalScoreMean, .evalScoreLow, .evalScoreHigh, .evalGames)
    case .final: (.finalScoreMean, .finalScoreLow, .finalScoreHigh, .finalGames)
    }
  }
}

/// An average score of a run, in score points or Sets.
public struct RunScore: Hashable, Sendable {
  public let mean: Double
  /// Half the width of the 95% interval; `nil` where there is none.
  public let margin: Double?
  /// The games that were played for it; `nil` when the number is unknown.
  public let games: Int?

  public init(mean: Double, margin: Double?, games: Int?) {
    (self.mean, self.margin, self.games) = (mean, margin, games)
  }
}

extension MetricsRecord {
  /// Adds the result of an evaluation: the mean, its 95% confidence interval and the games. A single game has no
  /// interval.
  public mutating func add(_ report: EvaluationReport, as stage: EvaluationStage = .interim) {
    let metrics = stage.metrics
    self[metrics.mean] = report.scoreMean
    self[metrics.games] = Double(report.games)
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
        games: self[metrics.games].flatMap { Int(exactly: $0) })
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
struct EvaluationJudge {
  /// The tags without which it does not work.
  static let tags = Set(
    EvaluationStage.allCases.map(\.metrics).flatMap { [$0.mean.tag, $0.low.tag, $0.high.tag, $0.games.tag] })
  private var evaluated: Int?

  mutating func judge(_ record: MetricsRecord) -> MetricsRecord {
    guard record[.evalScoreMean] != nil else { return record }
    defer { evaluated = record.games }
    return record.hasUnmarkedEvaluation && evaluated == record.games ? record.withFinalEvaluation() : record
  }
}
