internal import Foundation
internal import TupeloBase
public import TupeloRuns
package import TupeloTraining

/// Two runs side by side: the settings that differ, and the scores with their difference.
public struct RunComparison: Sendable {
  public let first: Side
  public let second: Side
  /// The settings that differ, in the order of the reference. The run folder does not count.
  public let settings: [Setting]
  /// The scores that both runs have; empty when they have none in common.
  public let scores: [Score]
  /// The agents of the two evaluations after training, when they differ: such scores are not compared.
  public let otherAgents: [String]?

  /// One of the two runs.
  public struct Side: Sendable {
    /// The path as the caller gave it.
    public let path: String
    /// The games that it has learned from, by its last record; 0 without one.
    public let games: Int
    package let configuration: RunConfiguration
    /// The average scores of training games, by ascending numbers of training games.
    let training: [(games: Int, mean: Double)]
    /// The seconds of training alone, by the number of games of each record.
    let seconds: [Int: Double]
    /// The evaluation of the finished network; `nil` where there is none.
    let evaluation: ModelEvaluation?
    let evaluations: RunEvaluations
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
      /// The score in an evaluation during training, after this number of games.
      case interim(games: Int)
      /// The average score of the training games before this number of games. It has no interval.
      case training(games: Int)
    }

    public let kind: Kind
    public let first: RunScore
    public let second: RunScore
    /// The second mean minus the first, in score points.
    public let difference: Double
    /// Half the width of its 95% interval by Welch's t; `nil` where a score has no interval. It covers the chance of
    /// the games played. The effect of another training seed comes on top.
    public let differenceMargin: Double?
    /// The minimum detectable difference for this number of games, two-sided at 95% with 80% power; `nil` when a score
    /// has no interval.
    public let smallestDifference: Double?
    /// Whether the interval contains zero, and differences of more than 1% of the first mean.
    public let isUnderpowered: Bool
  }

  /// Whether the runs differ in a setting that changes how they learn. Then they are one sample of each setting.
  package var hasOtherLearning: Bool { settings.contains { !PlotRun.free.contains($0.key) && $0.key != "name" } }

  /// Reads two runs.
  ///
  /// - Parameters:
  ///   - first: a run folder, or the metrics.jsonl in it
  ///   - second: another one
  /// - Throws: `PlotError`, `MetricsError`, `ConfigurationError` or `ModelCardError`, which name the file
  public init(_ first: String, _ second: String) throws {
    self.init(try Side(path: first), try Side(path: second))
  }

  init(_ a: Side, _ b: Side) {
    (first, second) = (a, b)
    settings = ConfigurationKey.differences(among: [a.configuration, b.configuration]).map { key in
      Setting(key: key.path, first: key.write(a.configuration), second: key.write(b.configuration))
    }
    scores = Self.scores(a, b)
    let agents = [a, b].compactMap(\.evaluation?.agent)
    otherAgents = Set(agents).count > 1 ? agents : nil
  }

  /// The evaluations of both runs by the same agent. If one is missing, or the numbers of games differ, also the latest
  /// scores at equal numbers of games and equal search depth.
  private static func scores(_ a: Side, _ b: Side) -> [Score] {
    var scores: [Score] = []
    if let one = a.final, let other = b.final, a.evaluation?.agent == b.evaluation?.agent {
      scores.append(Score(.evaluation, one.value, other.value))
      if let games = one.after, games == other.after { return scores }
    }
    let (first, second) = (a.evaluations.interim, b.evaluations.interim)
    let common = first.filter { games, one in second[games].map { one.kind.hasDepth(of: $0.kind) } ?? false }
    if let (games, one) = common.max(by: { $0.key < $1.key }), let other = second[games] {
      scores.append(Score(.interim(games: games), one, other))
    } else if let (games, one, other) = latest(a.training, b.training) {
      scores.append(
        Score(
          .training(games: games), RunScore(mean: one, margin: nil, kind: EvaluationKind(games: nil)),
          RunScore(mean: other, margin: nil, kind: EvaluationKind(games: nil))))
    }
    return scores
  }

  /// The last values after equal numbers of games.
  private static func latest(
    _ a: [(games: Int, mean: Double)], _ b: [(games: Int, mean: Double)]
  ) -> (games: Int, Double, Double)? {
    var rest = b[...]
    for one in a.reversed() {
      while let other = rest.last, other.games > one.games { rest.removeLast() }
      if let other = rest.last, other.games == one.games { return (one.games, one.mean, other.mean) }
    }
    return nil
  }
}

extension RunComparison.Score {
  init(_ kind: Kind, _ first: RunScore, _ second: RunScore) {
    (self.kind, self.first, self.second) = (kind, first, second)
    difference = second.mean - first.mean
    let known = first.estimate.flatMap { one in second.estimate.map { MeanDifference(from: one, to: $0) } }
    differenceMargin = known.flatMap { $0.margin.isFinite ? $0.margin : nil }
    smallestDifference = known.flatMap { $0.smallest.isFinite ? $0.smallest : nil }
    isUnderpowered = known?.verdict == .underpowered
  }
}

extension RunScore {
  fileprivate var estimate: MeanEstimate? {
    guard let margin, let games else { return nil }
    return MeanEstimate(mean: mean, margin: margin, count: games)
  }
}

extension RunComparison.Side {
  init(path: String) throws {
    try self.init(PlotRun(path: path))
  }

  init(_ run: PlotRun) throws {
    path = run.path
    configuration = try run.configuration()
    var training: [(games: Int, mean: Double)] = []
    var seconds: [Int: Double] = [:]
    try run.file.forEach(tags: [Metric.rolloutScoreMean.tag]) { record in
      seconds[record.games] = record.seconds
      guard let mean = record[.rolloutScoreMean] else { return }
      if training.last?.games == record.games { training.removeLast() }
      training.append((record.games, mean))
    }
    (self.training, self.seconds) = (training, seconds)
    games = try run.file.last()?.games ?? 0
    evaluation = try ModelEvaluation(ofRun: run.file.path.parentFolder, of: .program)
    evaluations = try RunEvaluations(run.file, configuration.evaluation, evaluation: evaluation)
  }

  /// The evaluation of the finished network, and the games it was made after, as far as the records know.
  var final: (value: RunScore, after: Int?)? {
    evaluation.map { ($0.runScore, evaluations.games(of: $0)) }
  }
}

extension ModelEvaluation {
  var runScore: RunScore {
    RunScore(
      mean: scoreMean, margin: scoreMargin, kind: EvaluationKind(games: games, plies: plies, seed: Double(seed)))
  }
}

extension ConfigurationKey {
  /// The keys in which any two configurations differ, in the order of the reference, but for the folder.
  static func differences(among configurations: [RunConfiguration]) -> [ConfigurationKey] {
    guard let first = configurations.first else { return [] }
    return ConfigurationKeys.of(configurations).all.filter { key in
      guard key.path != "output.directory" else { return false }
      let value = key.write(first)
      return configurations.dropFirst().contains { key.write($0) != value }
    }
  }
}
