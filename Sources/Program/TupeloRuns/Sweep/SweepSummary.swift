internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// The results of a sweep so far.
public struct SweepSummary: Sendable {
  /// How a run ended.
  public enum Ending: Codable, Hashable, Sendable {
    case finished(SweepResult)
    /// The run was stopped and saved; it can be resumed.
    case stopped
    /// The run failed; the text is the reason, in one line.
    case failed(String)
    /// The run has not started.
    case waiting

    public var result: SweepResult? {
      if case .finished(let result) = self { result } else { nil }
    }
  }

  /// The results of one variant over its seeds.
  public struct Variant: Hashable, Sendable {
    public let name: String
    /// The seeds of the finished runs.
    public let seeds: [UInt64]
    /// The number of all its runs.
    public let runs: Int
    /// The games that its runs are trained for.
    public let trainingGames: Int
    let game: GameKind
    /// The mean over seeds of the average score, in score points; `nil` while no run is finished.
    public let scoreMean: Double?
    /// The standard deviation between seeds, in score points; `nil` for fewer than two.
    public let scoreDeviation: Double?
    /// Half the width of the mean's 95% confidence interval, by Student's t. The degrees of freedom are one less than
    /// the seeds.
    public let scoreMargin: Double?
    public let movesPerSecond: Double?

    /// Whether all its runs are finished.
    var isWhole: Bool { seeds.count == runs }
    /// The place of a variant in the ranking: 0 with all runs finished, 1 with some, 2 without a score.
    fileprivate var rank: Int { isWhole ? 0 : scoreMean == nil ? 2 : 1 }

    init(_ name: String, _ runs: [(run: SweepRun, result: SweepResult?)]) {
      self.name = name
      self.runs = runs.count
      trainingGames = runs.map(\.run.configuration.training.games).max() ?? 0
      game = runs.first?.run.configuration.game ?? .twentyFortyEight
      let finished = runs.compactMap { run in run.result.map { (run.run.seed, $0) } }
      seeds = finished.map(\.0)
      let count = Double(finished.count)
      guard count > 0 else {
        (scoreMean, scoreDeviation, scoreMargin, movesPerSecond) = (nil, nil, nil, nil)
        return
      }
      let estimate = MeanEstimate(of: finished.map(\.1.scoreMean))
      scoreMean = estimate?.mean
      let speeds = finished.compactMap(\.1.movesPerSecond)
      movesPerSecond = speeds.isEmpty ? nil : speeds.reduce(0, +) / Double(speeds.count)
      guard count > 1 else {
        (scoreDeviation, scoreMargin) = (nil, nil)
        return
      }
      (scoreDeviation, scoreMargin) = (estimate?.deviation, estimate?.margin)
    }
  }

  public let runs: [SweepRun]
  /// The endings, by run.
  public let endings: [Ending]
  /// The variants, in the order of the plan.
  public let variants: [Variant]

  public init(_ runs: [SweepRun], _ endings: [Ending]) {
    self.runs = runs
    self.endings = endings
    var names: [String] = []
    var members: [String: [(run: SweepRun, result: SweepResult?)]] = [:]
    for (run, ending) in zip(runs, endings) {
      if members[run.variant] == nil { names.append(run.variant) }
      members[run.variant, default: []].append((run, ending.result))
    }
    variants = names.map { Variant($0, members[$0, default: []]) }
  }

  /// Variants by score, the best first. Variants with fewer seeds than planned come after the whole ones, because a
  /// mean over other seeds cannot be ranked with theirs; variants without a score come last. Equals are in the order of
  /// the plan.
  static func ranked(_ variants: [Variant]) -> [Variant] {
    variants.enumerated().sorted { a, b in
      guard a.element.rank == b.element.rank else { return a.element.rank < b.element.rank }
      let (one, other) = (a.element.scoreMean ?? 0, b.element.scoreMean ?? 0)
      return one == other ? a.offset < b.offset : one > other
    }.map(\.element)
  }

  /// The summary as a table for people, by score; without a newline at the end. A mark stands at the best variant among
  /// those whose runs are all finished, if there are two.
  public var text: String {
    let ranked = Self.ranked(variants)
    let hasGames = Set(variants.map(\.trainingGames)).count > 1
    let head = ["variant"] + (hasGames ? ["games"] : []) + ["seeds", "average score", "sd", "moves/s"]
    let rows = ranked.map { variant in
      var row = [variant.name]
      if hasGames { row.append(NumberText.grouped(variant.trainingGames)) }
      row.append(variant.seeds.count == variant.runs ? "\(variant.runs)" : "\(variant.seeds.count)/\(variant.runs)")
      row.append(variant.scoreMean.map { variant.game.text(ofMean: $0, margin: variant.scoreMargin) } ?? "-")
      row.append(variant.scoreDeviation.map { variant.game.text(ofMargin: $0) } ?? "-")
      row.append(variant.movesPerSecond.map { NumberText.grouped($0) } ?? "-")
      return row
    }
    let isComparison = ranked.count { $0.isWhole } > 1
    let table = TextTable([head] + rows).lines.enumerated().map { row, line in
      line + (row == 1 && isComparison ? "  best" : "")
    }
    let legend = "± is the 95% interval over seeds, sd: standard deviation; moves/s: in evaluation"
    return (table + [legend]).joined(separator: "\n")
  }

  /// The summary as JSON, with every run: one object with sorted keys and a newline at the end.
  public var json: String {
    let runs = zip(runs, endings).map { Self.fields($0, $1) }
    return JSONText.pretty(["runs": runs, "variants": variants.map(\.fields)] as JSONFields) + "\n"
  }

  /// Writes `summary.json` into the sweep's folder. The file appears whole or not at all.
  public func write(to path: String) throws {
    try TextFile.write(json, to: path)
  }
}

extension SweepSummary {
  private static func fields(_ run: SweepRun, _ ending: Ending) -> JSONFields {
    let result = ending.result
    var fields: JSONFields = [
      "name": run.name, "variant": run.variant, "seed": run.seed, "folder": run.folder,
      "training_games": run.configuration.training.games, "games": result?.games, "score_mean": result?.scoreMean,
      "score_margin_95": result?.scoreMargin, "moves_per_second": result?.movesPerSecond,
    ]
    switch ending {
    case .finished: fields["state"] = "finished"
    case .failed(let reason): (fields["state"], fields["error"]) = ("failed", reason)
    case .stopped: fields["state"] = "stopped"
    case .waiting: fields["state"] = "waiting"
    }
    return fields
  }
}

extension SweepSummary.Variant {
  fileprivate var fields: JSONFields {
    [
      "name": name, "seeds": seeds, "runs": runs, "training_games": trainingGames, "score_mean": scoreMean,
      "score_sd": scoreDeviation, "score_margin_95": scoreMargin, "moves_per_second": movesPerSecond,
    ]
  }
}
