internal import Foundation
internal import TupeloBase
internal import TupeloRuns
internal import TupeloTraining

/// The runs in a folder and in the folders below it, such as those of sweeps.
public struct RunList: Sendable {
  public let folder: String
  /// The runs, those with the highest scores first. Runs without a score come last, by name.
  public let runs: [RunOverview]
  /// The keys of the settings in which the runs differ, in the order of the reference. The name is left out, and so
  /// are keys that do not change the result of training. A list of all keys has every key of the runs but the name,
  /// which the list has in any case.
  public let settings: [String]
  /// One line for each run or folder that cannot be read.
  public let problems: [String]

  /// The levels of folders that are searched: a folder of sweeps in a folder of runs has two.
  static let depth = 4

  /// Reads the runs. A run is a folder with metrics; folders in it are not searched, nor are hidden folders. Links to
  /// folders are followed, and a run to which several paths lead is listed once.
  ///
  /// - Parameters:
  ///   - folder: the folder to search
  ///   - allKeys: whether `settings` has every key, and not only those that differ
  /// - Throws: `RunListError` when the folder itself cannot be read
  public init(folder: String, allKeys: Bool = false) throws(RunListError) {
    self.folder = folder
    guard isFolder(folder) else { throw .noFolder(path: folder) }
    var runs: [RunOverview] = []
    var problems: [String] = []
    var seen = Set([realPath(of: folder)])
    for name in try Self.names(of: folder, below: "", depth: Self.depth, &seen, &problems) {
      let path = name.isEmpty ? folder : (folder as NSString).appendingPathComponent(name)
      do {
        runs.append(
          try RunOverview(path: path, name: name.isEmpty ? (path as NSString).lastPathComponent : name))
      } catch {
        problems.append("\(error)")
      }
    }
    self.runs = runs.sorted(by: Self.isBefore)
    self.problems = problems
    let configurations = runs.map(\.configuration)
    settings =
      allKeys
      ? ConfigurationKeys.of(configurations).all.map(\.path).filter { $0 != "name" }
      : ConfigurationKey.differences(among: configurations).map(\.path)
        .filter { !SweepRun.isBeside($0) && $0 != "name" }
  }

  /// The keys of `settings` for a table with little room: keys with the most different values come first, and keys with
  /// equally many stay in the order of the reference.
  package var settingsByVariety: [String] {
    let counts = settings.map { key in (key, Set(runs.map { $0.value(of: key) }).count) }
    return counts.enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
  }

  private static func isBefore(_ a: RunOverview, _ b: RunOverview) -> Bool {
    switch (a.score?.value.mean, b.score?.value.mean) {
    case (let one?, let other?) where one != other: one > other
    case (_?, nil): true
    case (nil, _?): false
    default: a.name.compare(b.name, options: .numeric) == .orderedAscending
    }
  }

  /// The paths of the runs below a folder, relative to where the search began; an empty one is that folder itself.
  ///
  /// - Parameters:
  ///   - seen: the real paths of the folders that have been searched
  ///   - problems: gets a line for each folder below that cannot be read
  private static func names(
    of folder: String, below name: String, depth: Int, _ seen: inout Set<String>, _ problems: inout [String]
  ) throws(RunListError) -> [String] {
    let files = FileManager.default
    guard !files.fileExists(atPath: folder + "/" + MetricsFile.name) else { return [name] }
    guard depth > 0 else { return [] }
    let children: [String]
    do {
      children = try files.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw .unreadable(path: folder, reason: RunDirectory.reason(error))
    }
    let folders = children.filter { !$0.hasPrefix(".") && isFolder(folder + "/" + $0) }
    // A run has its own name rather than that of a link, so links come last.
    let place = realPath(of: folder)
    let own = folders.filter { realPath(of: folder + "/" + $0) == (place as NSString).appendingPathComponent($0) }
    var found: [String] = []
    for child in own + folders.filter({ !own.contains($0) }) {
      let path = folder + "/" + child
      guard seen.insert(realPath(of: path)).inserted else { continue }
      do {
        let inner = name.isEmpty ? child : name + "/" + child
        found += try names(of: path, below: inner, depth: depth - 1, &seen, &problems)
      } catch {
        problems.append("\(error)")
      }
    }
    return found
  }
}
