internal import TupeloBase
internal import TupeloRuns
internal import TupeloTraining

/// Why curves cannot be drawn.
public enum PlotError: Error, Hashable, Sendable {
  case noMetricsFile(path: String)
  case noRecords(path: String)
  case noMetric(path: String, metric: String, available: [String])
  /// The curve would run backwards on this axis.
  case goesBack(path: String, axis: LearningCurve.Axis, games: Int)
  case repeated(path: String)
  /// Grouping needs the configuration in the run's folder, and there is none.
  case noConfiguration(path: String)
  /// Two runs with the same name differ in more than the seed.
  case mixed(path: String, other: String, key: String)
  /// Two runs of a group have the same seed, so they are one sample.
  case sameSeed(path: String, other: String, seed: UInt64)
  /// There is no place on the axis where all runs of a group have values.
  case noOverlap(group: String)
}

extension PlotError: CustomStringConvertible {
  /// One line: the run, what is wrong, and the remedy.
  public var description: String {
    switch self {
    case .noMetricsFile(let path):
      "\(shown(path)): no \(MetricsFile.name) there: name the folder of a training run or a sweep, or such a file"
    case .noRecords(let path):
      "\(shown(path)): has no record yet: wait for the first, or leave this run out"
    case .noMetric(let path, let metric, let available):
      "\(shown(path)): has no \(Spelling.printable(metric))\(remedy(metric, available))"
    case .goesBack(let path, let axis, let games):
      "\(shown(path)): \(axis.rawValue) go back at \(CountText.text(games, "game")): choose another axis with --x"
    case .repeated(let path):
      "\(shown(path)): is given twice: name each run once"
    case .noConfiguration(let path):
      "\(shown(path)): no config.yaml beside the metrics, which is needed to group runs: leave out --group"
    case .mixed(let path, let other, let key):
      "\(shown(path)): has the name of \(shown(other)), but another \(key): leave out --group, or one of them"
    case .sameSeed(let path, let other, let seed):
      "\(shown(path)): has seed \(seed), as \(shown(other)) has: a group is a sample over seeds: leave one of them out"
    case .noOverlap(let group):
      "the runs of \(Spelling.printable(group)) have no part of the axis in common: leave out --group"
    }
  }

  private func shown(_ path: String) -> String { Spelling.printable(path, limit: 1000) }

  private func remedy(_ metric: String, _ available: [String]) -> String {
    if available.isEmpty { return " and no other metric: leave this run out" }
    if let nearest = Self.nearest(to: metric, among: available) {
      return ", did you mean \(Spelling.printable(nearest))?"
    }
    let listed = available.prefix(30).map { Spelling.printable($0) } + (available.count > 30 ? ["others"] : [])
    return ": choose one with --metric: \(Spelling.list(listed))"
  }

  /// The tag that was probably meant: a similar tag, or one that is similar without its section.
  private static func nearest(to metric: String, among available: [String]) -> String? {
    let leaves = available.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return Spelling.nearest(to: metric, among: available)
      ?? Spelling.closest(to: metric, among: leaves).map { available[$0.index] }
  }
}
