/// The results of a probe.
public struct ProbeReport: Hashable, Sendable {
  /// The result of one group.
  public struct Row: Hashable, Sendable {
    public let group: ProbeGroup
    /// The number of recorded boards of the group.
    public let boards: Int
    /// The games that made the group's next tile or the goal.
    public let next: Proportion
    /// The games that made twice the largest tile.
    public let goal: Proportion

    public var games: Int { goal.total }
  }

  /// The groups that have games, in their order.
  public let rows: [Row]
  public let seed: UInt64
  public let seconds: Double
  public let movesPerSecond: Double

  /// The number of games of all groups.
  public var games: Int { rows.reduce(0) { $0 + $1.games } }

  /// - Returns: `nil` without results.
  init?(_ probe: Probe, results: [Int: Probe.Result], seconds: Double) {
    guard !results.isEmpty else { return nil }
    let groups = probe.boards.groups
    rows = groups.indices.compactMap { index in
      let mine = results.filter { $0.key % groups.count == index }.map(\.value)
      guard !mine.isEmpty else { return nil }
      return Row(
        group: groups[index], boards: probe.boards.entries[index].count,
        next: Proportion(count: mine.count(where: \.hasNext), of: mine.count),
        goal: Proportion(count: mine.count(where: \.hasGoal), of: mine.count))
    }
    seed = probe.seed
    self.seconds = seconds
    let moves = results.values.reduce(0) { $0 + $1.moves }
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }
}
