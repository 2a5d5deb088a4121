internal import TupeloRuns
internal import TupeloTraining

/// One score of each run of several groups, and what it says about the groups.
public struct GroupMeasure: Sendable {
  /// What the score of a run is.
  public enum Kind: Hashable, Sendable {
    /// The evaluation of the finished network, after the games that each run has learned from: these bounds.
    case evaluation(games: ClosedRange<Int>?)
    /// The score after a number of games that all runs have.
    case games(Int, Source)
    /// The score after seconds of training that all runs have.
    case seconds(Double, Source)
  }

  /// The curve of a run that a score is read from, at a place or between two records.
  public enum Source: String, Hashable, Sendable {
    /// The evaluations during training and at its end.
    case evaluations
    /// The average scores of training games.
    case training
  }

  public let kind: Kind
  /// The scores of each group: the seed of each run, and its score. Runs without a score are left out.
  let scores: [[(seed: UInt64, score: Double)]]
  /// The sample of each group; `nil` for a group without scores.
  let samples: [RunSample?]
  /// The difference of each group to the first one, which is the baseline; `nil` where one of them has no scores, and
  /// for the baseline itself.
  let differences: [RunSampleDifference?]

  private init(_ kind: Kind, _ scores: [[(seed: UInt64, score: Double)]]) {
    (self.kind, self.scores) = (kind, scores)
    samples = scores.map { RunSample($0.map(\.score)) }
    let samples = samples
    differences = samples.indices.map { index in
      guard index > 0, let first = samples[0], let second = samples[index] else { return nil }
      return RunSampleDifference(from: first, to: second)
    }
  }
}

extension GroupMeasure {
  /// The measures of groups: the evaluations after training; unless all of them are after equal numbers of games, also
  /// the scores after equal numbers of games; and the scores after equal times.
  static func all(of groups: [[RunComparison.Side]]) -> [GroupMeasure] {
    let final = evaluation(of: groups)
    // A run that has just begun would move the place of the others to its own beginning.
    let finished = groups.map { $0.filter { $0.evaluation != nil } }
    let compared = finished.contains { $0.isEmpty } ? groups : finished
    var isEqual = false
    if case .evaluation(let games?) = final?.kind { isEqual = games.lowerBound == games.upperBound }
    let games = isEqual ? nil : measure(of: compared, at: { games, _ in Double(games) }) { .games(Int($0), $1) }
    let time = measure(of: compared, at: { _, seconds in seconds }) { .seconds($0, $1) }
    return [final, games, time].compactMap(\.self)
  }

  /// The evaluations after training, if all are by one agent.
  private static func evaluation(of groups: [[RunComparison.Side]]) -> GroupMeasure? {
    let finals = groups.map { $0.compactMap { run in run.final.map { (run: run, value: $0.value, after: $0.after) } } }
    let all = finals.flatMap(\.self)
    guard Set(all.map(\.run.evaluation?.agent)).count == 1 else { return nil }
    let games = all.compactMap(\.after)
    let bounds = games.min().flatMap { low in games.max().map { low...$0 } }
    return GroupMeasure(
      .evaluation(games: games.count == all.count ? bounds : nil),
      finals.map { $0.map { (seed: $0.run.configuration.seed, score: $0.value.mean) } })
  }

  /// The scores of all runs at the last place on an axis that all runs have reached.
  private static func measure(
    of groups: [[RunComparison.Side]], at axis: (Int, Double) -> Double, _ kind: (Double, Source) -> Kind
  ) -> GroupMeasure? {
    for source in [Source.evaluations, .training] {
      let curves = groups.map { $0.map { ($0.configuration.seed, $0.curve(of: source, axis)) } }
      let all = curves.flatMap { $0.map(\.1) }
      if source == .evaluations, !groups.flatMap(\.self).haveOneDepth { continue }
      let ends = all.map { $0.points.last?.x }
      guard let end = ends.contains(nil) ? nil : ends.compactMap(\.self).min(), end > 0,
        all.allSatisfy({ $0.points.first.map { $0.x <= end } ?? false })
      else { continue }
      return GroupMeasure(
        kind(end, source), curves.map { $0.map { (seed: $0.0, score: $0.1.values(at: [end])[0]) } })
    }
    return nil
  }
}

extension [RunComparison.Side] {
  /// Whether all evaluations of the runs have one search depth, as far as it is known.
  fileprivate var haveOneDepth: Bool {
    Set(flatMap { $0.evaluationScores.compactMap(\.value.kind.plies) }).count < 2
  }
}

extension RunComparison.Side {
  /// The evaluations during training and at its end, by the games of the run. If there are two, the final one counts.
  fileprivate var evaluationScores: [Int: RunScore] {
    var scores = evaluations.interim.merging(evaluations.final) { $1 }
    if let final, let games = final.after { scores[games] = final.value }
    return scores
  }

  /// The curve of a source over an axis.
  fileprivate func curve(of source: GroupMeasure.Source, _ axis: (Int, Double) -> Double) -> LearningCurve {
    let scores =
      switch source {
      case .evaluations: evaluationScores.map { (games: $0.key, mean: $0.value.mean) }.sorted { $0.games < $1.games }
      case .training: training
      }
    var points: [LearningCurve.Point] = []
    for (games, mean) in scores {
      guard let seconds = seconds[games] else { continue }
      let x = axis(games, seconds)
      while let last = points.last, last.x >= x { points.removeLast() }
      points.append(LearningCurve.Point(x: x, y: mean))
    }
    return LearningCurve(name: path, points: points)
  }
}
