public import TupeloEngine
internal import TupeloModels

/// A kind of board: it has a row of tiles, each half of the tile before, such as 16384, 8192 and 4096, and no larger
/// tile.
///
/// A probe measures two tiles. The next tile is half of the row's smallest tile: 2048 in the example. The goal is twice
/// the largest tile. On the way to the goal all tiles of the row must merge, the smallest tile first, so a game makes
/// the next tile before the goal. Only if a tile of the row occurs twice, a game may reach the goal without the next
/// tile. Then the goal counts for both.
public struct ProbeGroup: Hashable, Sendable {
  /// The exponent of the largest tile.
  public let largest: Int
  /// The number of tiles in the row, at least one.
  public let count: Int

  /// The groups of a probe: one, two and three tiles in the row.
  ///
  /// - Parameter largest: the exponent of the largest tile
  public static func all(largest: Int) -> [ProbeGroup] { (1...3).map { ProbeGroup(largest: largest, count: $0) } }

  /// The exponents of the largest tile that are possible with the rules. Only a merge may make the smallest next tile,
  /// which is therefore 8 or more, and a game must be able to make the goal.
  public static func exponents(_ rules: Rules) -> ClosedRange<Int>? {
    let most = rules.largestExponent - 1
    return most >= 6 ? 6...most : nil
  }

  /// The tiles of the row, the largest first.
  public var tiles: [Int] { (0..<count).map { 1 << (largest - $0) } }
  public var nextTile: Int { 1 << (largest - count) }
  public var goal: Int { 1 << (largest + 1) }

  /// The name in files: `16384+8192`.
  public var name: String { tiles.map(String.init).joined(separator: "+") }
  /// The name for people: `16384 + 8192`.
  public var title: String { tiles.map(String.init).joined(separator: " + ") }

  /// Whether the board is of this kind.
  public func contains(_ board: Board) -> Bool {
    let row = board.largestRow
    return row.largest == largest && row.count == count
  }
}

extension Board {
  /// The row of tiles that begins with the largest tile: the exponent of that tile, and the number of tiles, each half
  /// of the tile before. For a board with 16384, 8192, 2048 and smaller tiles, it is 14 and 2.
  package var largestRow: (largest: Int, count: Int) {
    var present: UInt32 = 0
    for cell in 0..<16 { present |= 1 << UInt32(exponent(at: cell)) }
    present &= ~1  // Empty cells are not tiles.
    let above = present.leadingZeroBitCount
    return (31 - above, above == 32 ? 0 : (~(present << UInt32(above))).leadingZeroBitCount)
  }
}
