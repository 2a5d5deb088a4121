internal import Foundation
internal import TupeloBase
internal import TupeloRuns
internal import TupeloTraining

/// Runs whose settings differ only in the seed, and in keys that do not change how they learn.
public struct RunGroup: Sendable {
  /// The name: the variant of a sweep, or the name of the configuration. Where groups share it, the folder or the
  /// settings that differ are added.
  public private(set) var name: String
  /// The runs, in ascending order of their seeds.
  public let runs: [RunComparison.Side]
  /// The number of the path that named the folder of the runs; `nil` for runs that were named one by one.
  private let folder: Int?

  /// A run, with the facts that decide about its group.
  struct Member {
    let side: RunComparison.Side
    let name: String
    let folder: Int?
    /// The metrics of the run.
    let file: String

    init(_ side: RunComparison.Side, _ run: PlotRun, folder: Int?) {
      (self.side, self.folder, file) = (side, folder, run.file.path)
      name = run.groupName(side.configuration)
    }
  }

  /// Groups runs, in the order of their first run; the variants of a sweep are in the order of its plan. Runs of two
  /// folders are never in one group: each folder may be a sweep by another program.
  ///
  /// - Parameters:
  ///   - members: the runs
  ///   - paths: the paths that named them
  /// - Throws: `PlotError.sameSeed` or `repeated` for runs that are not a sample over seeds; `ComparisonError`
  ///   for a summary.json that cannot be read
  static func groups(of members: [Member], in paths: [String]) throws -> [RunGroup] {
    let keys = ConfigurationKeys.of(members.map(\.side.configuration)).all.filter { !PlotRun.free.contains($0.path) }
    var order: [[String?]] = []
    var runs: [[String?]: [Member]] = [:]
    for member in members {
      let signature = [member.folder.map(String.init), member.name] + keys.map { $0.write(member.side.configuration) }
      if let twin = runs[signature]?.first(where: { $0.side.configuration.seed == member.side.configuration.seed }) {
        throw refusal(of: member, beside: twin)
      }
      if runs[signature] == nil { order.append(signature) }
      runs[signature, default: []].append(member)
    }
    var groups = order.map { signature in
      let members = runs[signature, default: []].sorted { $0.side.configuration.seed < $1.side.configuration.seed }
      return RunGroup(name: members[0].name, runs: members.map(\.side), folder: members[0].folder)
    }
    for (place, path) in paths.enumerated() where groups.contains(where: { $0.folder == place }) {
      let plan = try SweepSummary.variants(in: path)
      let own = groups.indices.filter { groups[$0].folder == place }
      let sorted = own.sorted {
        (plan.firstIndex(of: groups[$0].name) ?? plan.count, $0) < (
          plan.firstIndex(of: groups[$1].name) ?? plan.count, $1
        )
      }
      for (index, group) in zip(own, sorted.map { groups[$0] }) { groups[index] = group }
    }
    return named(groups, in: paths)
  }

  private static func refusal(of run: Member, beside twin: Member) -> PlotError {
    realPath(of: run.file) == realPath(of: twin.file)
      ? .repeated(path: run.side.path)
      : .sameSeed(path: run.side.path, other: twin.side.path, seed: run.side.configuration.seed)
  }

  /// The groups with names that differ.
  private static func named(_ groups: [RunGroup], in paths: [String]) -> [RunGroup] {
    let folders = PlotRun.names(of: paths)
    var groups = groups
    lengthen(&groups) { group, _ in group.folder.map { folders[$0] + "/" + group.name } ?? group.name }
    lengthen(&groups) { group, equals in
      let keys = ConfigurationKey.differences(among: equals.map(\.runs[0].configuration))
      let values = keys.filter { !PlotRun.free.contains($0.path) }.map { key in
        let value = (key.write(group.runs[0].configuration) ?? "none").replacing("\"", with: "")
        return ConfigurationKey.leaf(of: key.path) + "=" + NameText.fit(value, limit: 40)
      }
      return ([group.name] + values).joined(separator: "__")
    }
    for index in groups.indices {
      let equals = groups[..<index].count { $0.name == groups[index].name }
      if equals > 0 { groups[index].name += "+\(equals + 1)" }
    }
    return groups
  }

  /// Gives a longer name to each group whose name is that of another group.
  private static func lengthen(_ groups: inout [RunGroup], _ name: (RunGroup, _ equals: [RunGroup]) -> String) {
    let byName = Dictionary(grouping: groups, by: \.name)
    for index in groups.indices {
      guard let equals = byName[groups[index].name], equals.count > 1 else { continue }
      groups[index].name = name(groups[index], equals)
    }
  }
}

extension SweepSummary {
  /// The names of the variants in a sweep's summary.json, in the order of its plan; none without this file.
  ///
  /// - Throws: `ComparisonError.badSummary`
  static func variants(in folder: String) throws(ComparisonError) -> [String] {
    struct Document: Decodable {
      struct Variant: Decodable { let name: String }
      let variants: [Variant]
    }
    let path = (folder as NSString).appendingPathComponent(fileName)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      return try JSONDecoder().decode(Document.self, from: Data(contentsOf: fileURL(path))).variants.map(\.name)
    } catch {
      throw .badSummary(path: path)
    }
  }
}
