internal import TupeloBase
internal import TupeloTraining

/// A comparison of everything that a user names: of two runs, of several runs with the first one, or of groups.
///
/// Runs whose settings differ only in the seed are a group, which is a sample of what its setting learns. Groups are
/// compared where there are two, and one of them has several runs, and also where the runs of one folder are a single
/// group. All other runs are compared one by one, as agents.
public enum Comparison: Sendable {
  case pair(RunComparison)
  case runs(BaselineComparison)
  case groups(GroupComparison)

  /// Reads the runs.
  ///
  /// - Parameters:
  ///   - paths: run folders, the metrics.jsonl in them, and folders of runs, such as those of sweeps
  ///   - baseline: the name of the group, or the path of the run, that the other ones are compared with; `nil` for the
  ///     first one
  /// - Throws: `ComparisonError`, `PlotError`, `MetricsError`, `ConfigurationError` or `ModelCardError`, which name the
  ///   run
  public init(_ paths: [String], baseline: String? = nil) throws {
    var members: [RunGroup.Member] = []
    var waiting: [String] = []
    for (place, path) in paths.enumerated() where paths.count == 1 || !SweepSummary.isSummary(path) {
      let found = try PlotRun.all(at: [path])
      waiting += found.waiting
      for run in found.runs {
        members.append(RunGroup.Member(try .init(run), run, folder: run.path == path ? nil : place))
      }
    }
    guard members.count > 1 else { throw ComparisonError.oneRun }
    let sides = members.map(\.side)
    // Two runs that are named one by one are two agents, also if they have one setting.
    let isPair = sides.count == 2 && members.allSatisfy { $0.folder == nil }
    let groups = isPair ? [] : try RunGroup.groups(of: members, in: paths)
    let isFolder = members.contains { $0.folder != nil }
    if groups.contains(where: { $0.runs.count > 1 }), groups.count > 1 || isFolder {
      self = .groups(
        GroupComparison(try Self.first(baseline, among: groups, named: \.name), waiting: waiting))
      return
    }
    let ordered = try Self.first(baseline, among: sides, named: \.path)
    self = ordered.count == 2 ? .pair(RunComparison(ordered[0], ordered[1])) : .runs(BaselineComparison(ordered))
  }

  /// The items with the baseline first.
  private static func first<Item>(
    _ baseline: String?, among items: [Item], named name: KeyPath<Item, String>
  ) throws(ComparisonError) -> [Item] {
    guard let baseline else { return items }
    guard let place = items.firstIndex(where: { $0[keyPath: name] == baseline }) else {
      throw .noBaseline(baseline, names: items.map { $0[keyPath: name] })
    }
    return [items[place]] + items[..<place] + items[(place + 1)...]
  }

  /// The comparison as JSON: one object with sorted keys, without a newline at its end.
  public var json: String {
    switch self {
    case .pair(let comparison): comparison.json
    case .runs(let comparison): comparison.json
    case .groups(let comparison): comparison.json
    }
  }
}

/// Why runs cannot be compared.
public enum ComparisonError: Error, Hashable, Sendable {
  case oneRun
  case noBaseline(String, names: [String])
  case badSummary(path: String)

  /// Whether the command line is wrong, and not a file.
  package var isTyped: Bool { if case .badSummary = self { false } else { true } }
}

extension ComparisonError: CustomStringConvertible {
  /// One line: what is wrong, and the remedy.
  public var description: String {
    switch self {
    case .oneRun: "compare is given one run: name another to compare it with, or the folder of a sweep"
    case .noBaseline(let name, let names):
      "--baseline: \(Spelling.printable(name)) is not among what is compared: give "
        + Spelling.list(
          names.prefix(30).map { Spelling.printable($0, limit: 300) } + (names.count > 30 ? ["others"] : []))
    case .badSummary(let path):
      "\(Spelling.printable(path, limit: 1000)): is not the summary of a sweep: run the sweep again, or remove the file"
    }
  }
}
