internal import TupeloTraining

/// Several runs compared with a baseline, which is the first run.
public struct BaselineComparison: Sendable {
  /// The runs, the baseline first.
  public let runs: [RunComparison.Side]
  /// The settings in which any two runs differ, in the order of the reference.
  public let settings: [Setting]
  /// The baseline with each of the other runs, in their order.
  public let pairs: [RunComparison]

  /// A setting in which runs differ.
  public struct Setting: Hashable, Sendable {
    public let key: String
    /// The values as YAML, in the order of the runs; `nil` where the setting has no effect in a run.
    public let values: [String?]
  }

  /// Reads at least two runs.
  ///
  /// - Parameter paths: run folders, or the metrics.jsonl in them
  /// - Throws: `PlotError`, `MetricsError`, `ConfigurationError` or `ModelCardError`, which name the file
  public init(_ paths: [String]) throws {
    precondition(paths.count > 1, "a comparison needs two runs")
    self.init(try paths.map { try RunComparison.Side(path: $0) })
  }

  init(_ runs: [RunComparison.Side]) {
    self.runs = runs
    settings = ConfigurationKey.differences(among: runs.map(\.configuration)).map { key in
      Setting(key: key.path, values: runs.map { key.write($0.configuration) })
    }
    pairs = runs.dropFirst().map { RunComparison(runs[0], $0) }
  }
}
