internal import TupeloTraining

/// Groups of runs compared with a baseline, which is the first group. A group is a sample of what its setting learns,
/// and a run is one number of it.
public struct GroupComparison: Sendable {
  /// The groups, the baseline first.
  public let groups: [RunGroup]
  /// The settings in which groups differ, with the values in the order of the groups.
  public let settings: [BaselineComparison.Setting]
  /// The scores by which the groups are compared; none while the runs have no scores in common.
  public let measures: [GroupMeasure]
  /// The folders of runs that have no record yet, and are left out.
  public let waiting: [String]
  let game: GameKind

  /// - Precondition: there is a group, and no group is empty.
  init(_ groups: [RunGroup], waiting: [String]) {
    (self.groups, self.waiting) = (groups, waiting)
    let configurations = groups.map(\.runs[0].configuration)
    game = configurations[0].game
    settings = ConfigurationKey.differences(among: configurations)
      .filter { !SweepRun.isBeside($0.path) && $0.path != "seed" }
      .map { key in BaselineComparison.Setting(key: key.path, values: configurations.map { key.write($0) }) }
    // Scores of two games have different units.
    measures = Set(configurations.map(\.game)).count == 1 ? GroupMeasure.all(of: groups.map(\.runs)) : []
  }
}
