public import TupeloEngine

/// Tile-downgrading: a late board is searched as a board with smaller tiles, because the evaluator was trained on such
/// boards far more often.
///
/// It starts when the largest tile has reached `threshold`. Tiles between 4 and the largest that are missing from the
/// board are its holes. To close a hole, every tile above it is halved. For example, if 16384 is missing, a 32768 is
/// searched as a 16384 and all other tiles stay. The highest holes are closed: one hole from `threshold` on, two holes
/// from twice the threshold on, and so on.
///
/// Equal tiles stay equal and different tiles stay different, so the same moves are legal. Boards are lowered once, at
/// the root, never inside the tree. Rewards and values of the search are those of the lowered board. The method is that
/// of TDL2048+ (Guei et al. 2021).
public struct TileDowngrading: Hashable, Sendable {
  /// The tile from which on boards are lowered.
  public let threshold: Int

  /// - Parameter threshold: a tile from 8 to 131072; other numbers count as the largest of these tiles that is not
  ///   above them, or as 8
  public init(threshold: Int = 32_768) {
    let nearest = min(max(threshold, Self.thresholds.lowerBound), Self.thresholds.upperBound)
    self.threshold = 1 << (Int.bitWidth - 1 - nearest.leadingZeroBitCount)
  }

  static var thresholds: ClosedRange<Int> { 8...131_072 }

  /// The board to search instead of `board`; `board` itself below the threshold.
  public func lowered(_ board: Board) -> Board {
    // The common case comes first: boards below 32768 need no further check.
    if threshold >= 32_768, board.overflow == 0, !Self.hasFifteen(board.bits) { return board }
    var present: UInt32 = 0
    var largestCount = 0
    var largest = 0
    for cell in 0..<16 {
      let exponent = board.exponent(at: cell)
      present |= 1 << UInt32(exponent)
      if exponent > largest { (largest, largestCount) = (exponent, 0) }
      if exponent == largest { largestCount += 1 }
    }
    let crossings = largest - threshold.trailingZeroBitCount + 1
    // Two tiles of the largest exponent do not merge, but lowered tiles would merge.
    guard crossings >= 1, largest < Board.maximumExponent || largestCount == 1 else { return board }
    // Bits 2..<largest of the missing exponents.
    var holes = ~present & ((1 << UInt32(largest)) - 1) & ~3
    while holes.nonzeroBitCount > crossings { holes &= holes &- 1 }
    guard holes != 0 else { return board }
    var lowered = board
    for cell in 0..<16 {
      let exponent = board.exponent(at: cell)
      let below = holes & ((1 << UInt32(exponent)) - 1)
      lowered = lowered.replacing(cell: cell, with: exponent - below.nonzeroBitCount)
    }
    return lowered
  }

  /// True when a nibble is 15.
  private static func hasFifteen(_ bits: UInt64) -> Bool {
    let pairs = bits & bits >> 1
    return pairs & pairs >> 2 & 0x1111_1111_1111_1111 != 0
  }
}
