/// How far a search looks.
///
/// With `plies` alone the depth is fixed, and the result the same on every machine. With a time or a number of nodes
/// the search goes one ply deeper at a time, and the deepest depth that it completes decides; `plies` is then how deep
/// it may go at most.
public struct SearchLimits: Hashable, Sendable {
  /// 1 is greedy; each further ply adds one layer of chance and one of choice. 1...`maximumPlies`.
  public var plies: Int
  /// One ply more on boards with at most this many empty cells, which have fewer outcomes and more at stake; `nil` for
  /// never.
  public var extensionEmptyCells: Int?
  /// The time for one move.
  public var time: Duration?
  /// Afterstates to value for one move. Unlike a time it gives the same result on every machine; checked every few
  /// hundred nodes. One that comes again in the same direction of a chance node, or is remembered, does not count.
  public var nodes: Int?
  /// Boards that come up with a lower probability than this, counted from the root, are valued greedily instead of
  /// searched on. 0: every chance outcome is searched to the full depth.
  public var minimumProbability: Double

  /// How deep any search goes, an extension included.
  public static var maximumPlies: Int { 15 }

  /// - Precondition: every limit is in its range: plies in 1...`maximumPlies`, time and nodes above zero, the
  ///   probability in 0..<1.
  public init(
    plies: Int = SearchLimits.maximumPlies, extensionEmptyCells: Int? = nil, time: Duration? = nil, nodes: Int? = nil,
    minimumProbability: Double = 0
  ) {
    precondition((1...Self.maximumPlies).contains(plies), "a search has 1 to \(Self.maximumPlies) plies")
    precondition(time.map { $0 > .zero } ?? true, "a search takes time")
    precondition(nodes.map { $0 > 0 } ?? true, "a search values nodes")
    precondition(minimumProbability >= 0 && minimumProbability < 1, "a probability is in 0..<1")
    self.plies = plies
    self.extensionEmptyCells = extensionEmptyCells
    self.time = time
    self.nodes = nodes
    self.minimumProbability = minimumProbability
  }

  /// A fixed depth.
  public static func plies(_ plies: Int) -> SearchLimits { SearchLimits(plies: plies) }

  /// As deep as the time for one move allows.
  public static func time(_ time: Duration) -> SearchLimits { SearchLimits(time: time) }

  /// As deep as a number of valued afterstates allows.
  public static func nodes(_ nodes: Int) -> SearchLimits { SearchLimits(nodes: nodes) }

  /// False when a time or a number of nodes may end the search early.
  public var isFixed: Bool { time == nil && nodes == nil }

  /// The depth on a board with so many empty cells.
  func plies(emptyCells: Int) -> Int {
    guard let limit = extensionEmptyCells, emptyCells <= limit else { return plies }
    return min(plies + 1, Self.maximumPlies)
  }
}
