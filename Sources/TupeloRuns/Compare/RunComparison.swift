internal import DurableFiles
internal import Foundation
internal import TupeloTraining

/// Two runs side by side: the settings that differ, and the scores with their difference.
public struct RunComparison: Sendable {
  public let first: Side
  public let second: Side
  /// The settings that differ, in the order of the reference. The run folder is none of them.
  public let settings: [Setting]
  /// The scores that both runs have; empty when they have none in common.
  public let scores: [Score]

  /// One of the two runs.
  public struct Side: Sendable {
    /// The path as the caller gave it.
    public let path: String
    /// The games that it has learned from, by its last record; 0 without one.
    public let games: Int
    let configuration: RunConfiguration
    let records: [MetricsRecord]
    /// The evaluation of the finished network; `nil` where there is none.
    let evaluation: ModelEvaluation?
  }

  /// A setting in which the runs differ, as YAML; `nil` where it has no effect in a run.
  public struct Setting: Hashable, Sendable {
    public let key: String
    public let first: String?
    public let second: String?
  }

  /// A score of each run.
  public struct Score: Sendable {
    public enum Kind: Hashable, Sendable {
      /// The score in the evaluation of the finished network.
      case evaluation
      /// The score in an evaluation beside training, after so many games.
      case interim(games: Int)
      /// The average score of the training games before so many games. It has no interval.
      case training(games: Int)
    }

    public let kind: Kind
    public let first: Value
    public let second: Value
    /// The second mean minus the first, in score points.
    public let difference: Double
    /// Half the width of its 95% interval by Welch's t; `nil` where a score has no interval. It is that of the games
    /// played: what another training seed would change comes on top.
    public let differenceMargin: Double?
  }

  /// An average score, in score points.
  public struct Value: Hashable, Sendable {
    public let mean: Double
    /// Half the width of the 95% interval; `nil` where there is none.
    public let margin: Double?
    /// The games that were played for it; `nil` where nothing says so.
    public let games: Int?
  }

  /// Reads two runs.
  ///
  /// - Parameters:
  ///   - first: a run folder, or the metrics.jsonl in it
  ///   - second: another one
  /// - Throws: `PlotError`, `MetricsError`, `ConfigurationError` or `ModelCardError`, which name the file
  public init(_ first: String, _ second: String) throws {
    let (a, b) = (try Side(path: first), try Side(path: second))
    (self.first, self.second) = (a, b)
    settings = ConfigurationKey.table.compactMap { key in
      let (one, other) = (key.write(a.configuration), key.write(b.configuration))
      return one == other || key.path == "output.directory" ? nil : Setting(key: key.path, first: one, second: other)
    }
    scores = Self.scores(a, b)
  }

  /// The evaluations of both. Where one is missing, or was made after another number of games, also the latest scores
  /// at equal numbers of games.
  private static func scores(_ a: Side, _ b: Side) -> [Score] {
    var scores: [Score] = []
    if let one = a.final, let other = b.final {
      scores.append(Score(.evaluation, one.value, other.value))
      if let games = one.after, games == other.after { return scores }
    }
    if let (games, one, other) = latest(a.interim, b.interim) {
      scores.append(Score(.interim(games: games), one, other))
    } else if let (games, one, other) = latest(a.training, b.training) {
      scores.append(Score(.training(games: games), one, other))
    }
    return scores
  }

  private static func latest(_ a: [Int: Value], _ b: [Int: Value]) -> (games: Int, Value, Value)? {
    Set(a.keys).intersection(b.keys).max().flatMap { games in
      guard let one = a[games], let other = b[games] else { return nil }
      return (games, one, other)
    }
  }
}

extension RunComparison.Score {
  init(_ kind: Kind, _ first: RunComparison.Value, _ second: RunComparison.Value) {
    (self.kind, self.first, self.second) = (kind, first, second)
    difference = second.mean - first.mean
    differenceMargin = first.estimate.flatMap { one in
      second.estimate.map { one.margin(ofDifferenceTo: $0) }.flatMap { $0.isFinite ? $0 : nil }
    }
  }
}

extension RunComparison.Value {
  fileprivate var estimate: MeanEstimate? {
    guard let margin, let games else { return nil }
    return MeanEstimate(mean: mean, margin: margin, count: games)
  }
}

extension RunComparison.Side {
  fileprivate init(path: String) throws {
    let run = try PlotRun(path: path)
    self.path = path
    configuration = try run.configuration()
    records = run.file.records
    games = records.last?.games ?? 0
    let folder = run.file.path.parentFolder
    let file = (folder as NSString).appendingPathComponent(RunDirectory.Name.evaluation)
    evaluation = FileManager.default.fileExists(atPath: file) ? try ModelEvaluation(path: file) : nil
  }

  /// The evaluation of the finished network, and the games it was made after, as far as the records know.
  fileprivate var final: (value: RunComparison.Value, after: Int?)? {
    evaluation.map { evaluation in
      (
        RunComparison.Value(mean: evaluation.scoreMean, margin: evaluation.scoreMargin, games: evaluation.games),
        records.last { $0[.evalScoreMean] == evaluation.scoreMean }?.games
      )
    }
  }

  /// The evaluations beside training, by number of training games.
  fileprivate var interim: [Int: RunComparison.Value] {
    var values: [Int: RunComparison.Value] = [:]
    for record in records {
      guard let mean = record[.evalScoreMean], mean != evaluation?.scoreMean else { continue }
      let margin = record[.evalScoreHigh].map { $0 - mean }
      values[record.games] = .init(mean: mean, margin: margin, games: configuration.evaluation.interimGames)
    }
    return values
  }

  /// The average scores of training games, by number of training games.
  fileprivate var training: [Int: RunComparison.Value] {
    var values: [Int: RunComparison.Value] = [:]
    for record in records {
      if let mean = record[.rolloutScoreMean] { values[record.games] = .init(mean: mean, margin: nil, games: nil) }
    }
    return values
  }
}
