/// The limits of a search: depth, time, number of nodes and probability.
///
/// With `plies` alone the depth is fixed, and the result is equal on every machine. With a limit on time or nodes, the
/// search goes one ply deeper at a time, each time with a smaller cut-off probability: 0.01 at five plies, 0.001 at
/// seven. The last step that it completes gives the result. `plies` is the largest depth, and `minimumProbability` the
/// smallest cut-off.
///
/// Limits may come from a slider: any values can be stored. `Searcher` checks them and throws `SearchLimitsError`. An
/// agent, such as `Expectimax`, uses the nearest limits within their ranges instead; see `clamped`.
public struct SearchLimits: Hashable, Sendable {
  /// The depth. 1 is greedy; each further ply adds one chance layer and one max layer. A fixed depth is in
  /// 1...`maximumFixedPlies`, because each ply takes about ten times as long as the one before; with a limit on time,
  /// nodes or probability, the depth is in 1...`maximumPlies`.
  public var plies: Int
  /// The largest number of empty cells for one extra ply; `nil` for no extra ply. Boards with few empty cells have
  /// fewer outcomes, and their moves matter more.
  public var extensionEmptyCells: Int?
  /// The time for one move, above zero.
  public var time: Duration?
  /// The number of afterstates to value for one move, at least 1.
  ///
  /// Unlike a time limit, it gives equal results on every machine. That is why a search with this limit runs on one
  /// thread, however many it may use: when several threads have used up the nodes depends on their speed. The limit is
  /// checked every few hundred nodes. An afterstate does not count if it occurs again in the same direction of a chance
  /// node, or if its value is remembered.
  public var nodes: Int?
  /// The cut-off probability, counted from the root. Boards below it are valued greedily and not searched further. With
  /// 0 every chance outcome is searched to the full depth, unless time or nodes are limited. It is below 1.
  public var minimumProbability: Double

  /// The largest depth of any search, with the extra ply.
  public static var maximumPlies: Int { 15 }

  /// The largest depth of a search without a limit on time, nodes or probability.
  public static var maximumFixedPlies: Int { 8 }

  /// Makes limits without checking them; see `check()` and `clamped`.
  public init(
    plies: Int = SearchLimits.maximumPlies, extensionEmptyCells: Int? = nil, time: Duration? = nil, nodes: Int? = nil,
    minimumProbability: Double = 0
  ) {
    self.plies = plies
    self.extensionEmptyCells = extensionEmptyCells
    self.time = time
    self.nodes = nodes
    self.minimumProbability = minimumProbability
  }

  /// Limits to a fixed depth.
  public static func plies(_ plies: Int) -> SearchLimits { SearchLimits(plies: plies) }

  /// Limits to the time for one move; the search goes as deep as it allows.
  public static func time(_ time: Duration) -> SearchLimits { SearchLimits(time: time) }

  /// Limits to a number of valued afterstates; the search goes as deep as it allows.
  public static func nodes(_ nodes: Int) -> SearchLimits { SearchLimits(nodes: nodes) }

  /// These limits, each moved into its range by as little as possible. An agent searches with these.
  ///
  /// A time or a number of nodes that is too small becomes the smallest allowed one. The search then completes the
  /// first ply. A probability that is not a number becomes 0.
  public var clamped: SearchLimits {
    var limits = self
    limits.plies = min(max(plies, 1), deepest)
    limits.time = time.map { min(max($0, .nanoseconds(1)), Self.longestTime) }
    limits.nodes = nodes.map { max($0, 1) }
    // A comparison with NaN is false.
    limits.minimumProbability = minimumProbability > 0 ? min(minimumProbability, 1 - .ulpOfOne) : 0
    return limits
  }

  /// The nearest number of plies that a search can have.
  static func clamped(plies: Int) -> Int { min(max(plies, 1), maximumPlies) }

  /// A time of about 30 years, which clocks can still add.
  private static var longestTime: Duration { .seconds(1_000_000_000) }

  /// Whether the depth is fixed: there is no limit on time or nodes.
  public var isFixed: Bool { time == nil && nodes == nil }

  /// The largest depth with these limits on time, nodes and probability.
  var deepest: Int { isFixed && !(minimumProbability > 0) ? Self.maximumFixedPlies : Self.maximumPlies }

  /// The depth on a board with a number of empty cells.
  func plies(emptyCells: Int) -> Int {
    guard let limit = extensionEmptyCells, emptyCells <= limit else { return plies }
    return min(plies + 1, Self.maximumPlies)
  }
}
