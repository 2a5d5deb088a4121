internal import Foundation
internal import TupeloBase
public import TupeloRuns
internal import TupeloTraining

/// A training run whose learning curve is drawn.
public struct PlotRun: Sendable {
  /// The path as the caller gave it: a run folder or a metrics file.
  public let path: String
  public let file: MetricsFile

  /// Finds the metrics at a path.
  ///
  /// - Throws: `PlotError`, which names the run
  public init(path: String) throws(PlotError) {
    let name = isFolder(path) ? (path as NSString).appendingPathComponent(MetricsFile.name) : path
    guard FileManager.default.fileExists(atPath: name) else { throw PlotError.noMetricsFile(path: path) }
    self.path = path
    file = MetricsFile(path: name)
  }

  /// Finds the metrics at several paths. A folder without metrics stands for the runs in it, as a sweep's folder does:
  /// those that have a record, ordered by name. The summary.json of a sweep, which `sweep/*` names with the runs, is
  /// passed over.
  ///
  /// - Returns: the runs, and the folders of runs in such a folder that have no record yet.
  /// - Throws: `PlotError` or `MetricsError`, which name the run
  public static func all(at paths: [String]) throws -> (runs: [PlotRun], waiting: [String]) {
    var runs: [PlotRun] = []
    var waiting: [String] = []
    for path in paths where paths.count == 1 || !SweepSummary.isSummary(path) {
      let members = try folders(in: path)
      if members.isEmpty { runs.append(try PlotRun(path: path)) }
      for member in members {
        let run = try PlotRun(path: member)
        if try run.file.last() == nil { waiting.append(member) } else { runs.append(run) }
      }
      guard members.isEmpty || members.count > waiting.count else { throw PlotError.noRecords(path: path) }
    }
    return (runs, waiting)
  }

  /// The run folders in a folder; none in a run's own folder.
  private static func folders(in path: String) throws -> [String] {
    let files = FileManager.default
    let folder = path as NSString
    guard isFolder(path), !files.fileExists(atPath: folder.appendingPathComponent(MetricsFile.name)) else { return [] }
    let names: [String]
    do {
      names = try files.contentsOfDirectory(atPath: path)
    } catch {
      throw MetricsError.cannotRead(path: path, reason: FailedCall.reason(error))
    }
    return names.sorted(by: isBefore).map(folder.appendingPathComponent)
      .filter { files.fileExists(atPath: $0 + "/" + MetricsFile.name) }
  }

  /// Orders names by the numbers in them: seed=2 before seed=10.
  private static func isBefore(_ a: String, _ b: String) -> Bool {
    switch a.compare(b, options: .numeric) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: a < b
    }
  }

  /// The name that the run is grouped by: the variant for a run of a sweep, which its folder is named by, else the name
  /// of its configuration.
  func groupName(_ configuration: RunConfiguration) -> String {
    let folder = fileURL(file.path).deletingLastPathComponent().lastPathComponent
    return SweepRun.variant(ofFolder: folder, seed: configuration.seed) ?? configuration.name
  }

  /// Reads the configuration in the run's folder.
  func configuration() throws -> RunConfiguration {
    let folder = file.path.parentFolder
    let config = (folder.isEmpty ? "." : folder) + "/config.yaml"
    guard FileManager.default.fileExists(atPath: config) else { throw PlotError.noConfiguration(path: path) }
    return try RunConfiguration.load(file: config, environment: [:], overrides: [], of: .program)
  }

  /// Short names that distinguish several paths: the last component of each, with as many before it as needed.
  static func names(of paths: [String]) -> [String] {
    let components = paths.map { path -> [Substring] in
      let parts = path.split(separator: "/").filter { $0 != "." }
      return parts.last == MetricsFile.name[...] && parts.count > 1 ? parts.dropLast() : parts
    }
    return components.map { own in
      var count = 1
      while count < own.count,
        components.count(where: { $0.suffix(count) == own.suffix(count) }) > 1
      {
        count += 1
      }
      return own.isEmpty ? "." : own.suffix(count).joined(separator: "/")
    }
  }
}

extension PlotRun {
  /// Makes one curve per run.
  ///
  /// - Throws: `PlotError`, which names the run
  public static func curves(
    of runs: [PlotRun], metric: String, axis: LearningCurve.Axis
  ) throws -> [LearningCurve] {
    var paths: Set<String> = []
    for run in runs where !paths.insert(realPath(of: run.file.path)).inserted {
      throw PlotError.repeated(path: run.path)
    }
    return try zip(runs, names(of: runs.map(\.path))).map { run, name in
      try LearningCurve(name: name, file: run.file, metric: metric, axis: axis)
    }
  }

  /// Makes one curve per configuration name, or per variant of a sweep: the mean of all runs with that name. They may
  /// differ in keys that do not change how they learn, and must differ in their seed: runs of one seed are not a
  /// sample. Groups are in the order of their first run.
  public static func groupedCurves(
    of runs: [PlotRun], metric: String, axis: LearningCurve.Axis
  ) throws -> [LearningCurve] {
    let curves = try curves(of: runs, metric: metric, axis: axis)
    let configurations = try runs.map { try $0.configuration() }
    var order: [String] = []
    var members: [String: [Int]] = [:]
    for index in runs.indices {
      let name = runs[index].groupName(configurations[index])
      if let first = members[name]?.first {
        if let key = firstDifference(configurations[first], configurations[index]) {
          throw PlotError.mixed(path: runs[index].path, other: runs[first].path, key: key)
        }
        let seed = configurations[index].seed
        if let twin = members[name]?.first(where: { configurations[$0].seed == seed }) {
          throw PlotError.sameSeed(path: runs[index].path, other: runs[twin].path, seed: seed)
        }
      } else {
        order.append(name)
      }
      members[name, default: []].append(index)
    }
    return try order.map { name in
      let group = (members[name] ?? []).map { curves[$0] }
      let label = group.count == 1 ? name : "\(name), \(group.count) runs"
      guard let mean = LearningCurve.mean(of: group, name: label) else { throw PlotError.noOverlap(group: name) }
      return mean
    }
  }

  /// Keys in which runs of a group may differ: none of them changes what a run has learned after a number of games.
  static let free: Set<String> = {
    let keys: [ConfigurationKey] = [.seed, .directory, .checkpointGames, .evaluationThreads, .games, .minutes]
    return Set(keys.map(\.path))
  }()

  private static func firstDifference(_ a: RunConfiguration, _ b: RunConfiguration) -> String? {
    ConfigurationKeys.of([a, b]).all.first { !free.contains($0.path) && $0.write(a) != $0.write(b) }?.path
  }
}
