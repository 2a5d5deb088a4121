internal import Foundation
internal import TupeloBase
internal import TupeloRuns
internal import TupeloTraining

/// The results of a sweep so far.
public struct SweepSummary: Sendable {
  /// The name of its file in the sweep's folder.
  static let fileName = "summary.json"

  /// Whether a path names a summary, as `*` in a sweep's folder does.
  static func isSummary(_ path: String) -> Bool { path == fileName || path.hasSuffix("/" + fileName) }

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
    /// The average scores of the finished runs; `nil` while there is none.
    let sample: RunSample?
    /// The mean over seeds of the average score, in score points; `nil` while no run is finished.
    public var scoreMean: Double? { sample?.mean.mean }
    /// The standard deviation between seeds, in score points; `nil` for fewer than two.
    public var scoreDeviation: Double? { sample?.mean.deviation.ifFinite }
    /// Half the width of the mean's 95% confidence interval, by Student's t. The degrees of freedom are one less than
    /// the seeds. `nil` for fewer than two.
    public var scoreMargin: Double? { sample?.mean.margin.ifFinite }
    public let movesPerSecond: Double?

    /// Whether the mean of another variant is not shown to be higher than that of this one.
    func isLike(_ top: Variant) -> Bool { top.difference(to: self)?.verdict != .higher }

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
      sample = RunSample(finished.map(\.1.scoreMean))
      let speeds = finished.compactMap(\.1.movesPerSecond)
      movesPerSecond = speeds.isEmpty ? nil : speeds.reduce(0, +) / Double(speeds.count)
    }

    /// The difference to another variant; `nil` while one of them has no score.
    func difference(to baseline: Variant) -> RunSampleDifference? {
      baseline.sample.flatMap { first in sample.map { RunSampleDifference(from: first, to: $0) } }
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

  /// The variant with the highest mean, if the verdict on its difference to every other variant says so. Only variants
  /// whose runs are all finished count.
  var best: Variant? {
    let whole = Self.ranked(variants).filter(\.isWhole)
    guard whole.count > 1 else { return nil }
    return whole.dropFirst().allSatisfy { whole[0].difference(to: $0)?.verdict == .higher } ? whole[0] : nil
  }

  /// The summary as a table for people, by score; without a newline at the end. With several variants, it has the
  /// difference of each one to the baseline, which is the first one of the plan.
  public var text: String {
    let ranked = Self.ranked(variants)
    let hasGames = Set(variants.map(\.trainingGames)).count > 1
    let differences = ranked.map { $0 == variants.first ? nil : $0.difference(to: variants[0]) }
    let hasVerdicts = differences.contains { $0.map { $0.verdict != .tooFew } ?? false }
    let head =
      ["variant"] + (hasGames ? ["games"] : []) + ["seeds", "average score"]
      + (variants.count > 1 ? ["difference"] : []) + (hasVerdicts ? ["verdict"] : [])
    let rows = zip(ranked, differences).map { variant, difference in
      var row = [variant.name]
      if hasGames { row.append(NumberText.grouped(variant.trainingGames)) }
      row.append(variant.isWhole ? "\(variant.runs)" : "\(variant.seeds.count)/\(variant.runs)")
      row.append(variant.scoreMean.map { variant.game.text(ofMean: $0, margin: variant.scoreMargin) } ?? "-")
      let missing = variant == variants[0] ? "baseline" : "-"
      let found = difference.map {
        variant.game.text(ofDifference: $0.mean.mean, margin: $0.mean.margin.ifFinite)
      }
      if variants.count > 1 { row.append(found ?? missing) }
      if hasVerdicts { row.append(difference?.verdict.rawValue ?? "") }
      return row
    }
    return (TextTable([head] + rows).lines + notes(ranked)).joined(separator: "\n")
  }

  /// What the table means, and which variant is best.
  private func notes(_ ranked: [Variant]) -> [String] {
    let legend = "± is the 95% interval over seeds"
    guard variants.count > 1 else { return [legend] }
    let whole = ranked.filter(\.isWhole)
    var notes = ["\(legend); difference: to the baseline, \(variants[0].name)"]
    if let best {
      notes.append("best: \(best.name)")
    } else if let top = whole.first, let other = whole.dropFirst().first(where: { $0.isLike(top) }) {
      notes.append(
        top.sample?.hasVerdict == true && other.sample?.hasVerdict == true
          ? "none is best: \(top.name) cannot be told from \(other.name)"
          : "no verdict: it needs \(RunSample.fewestForVerdict) seeds of each variant, such as --seeds 1-5")
    }
    return notes
  }

  /// The summary as JSON, with every run: one object with sorted keys and a newline at the end.
  public var json: String {
    let runs = zip(runs, endings).map { Self.fields($0, $1) }
    let variants = variants.map { variant in
      variant.fields(baseline: variant == self.variants[0] ? nil : self.variants[0], isBest: variant == best)
    }
    return JSONText.pretty(["runs": runs, "variants": variants] as JSONFields) + "\n"
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
  /// - Parameter baseline: the variant that the difference is to; `nil` for the baseline itself
  fileprivate func fields(baseline: Self?, isBest: Bool) -> JSONFields {
    let found = baseline.flatMap { difference(to: $0) }
    return [
      "name": name, "seeds": seeds, "runs": runs, "training_games": trainingGames, "score_mean": scoreMean,
      "score_sd": scoreDeviation, "score_margin_95": scoreMargin, "moves_per_second": movesPerSecond, "best": isBest,
      "baseline": baseline?.name, "difference": found?.mean.mean, "difference_margin_95": found?.mean.margin.ifFinite,
      "verdict": found?.verdict.rawValue,
    ]
  }
}
