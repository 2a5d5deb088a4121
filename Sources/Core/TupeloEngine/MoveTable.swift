/// The rules of sliding as lookup tables, with an entry for every row of up to four tiles.
///
/// An entry has eight bytes: the row slid to its start, the row slid to its end, and the reward. The reward is the same
/// in both directions, because a run of k equal tiles merges k/2 times from either side. A column is a row of the
/// transposed board.
public struct MoveTable: Sendable {
  /// The table for rows of the board.
  public let rows: LineTable
  /// The table for columns, which are rows of the transposed board.
  public let columns: LineTable
  public let shape: BoardShape

  public init(_ shape: BoardShape = .standard) {
    rows = LineTable(width: shape.columns)
    columns = LineTable(width: shape.rows)
    self.shape = shape
  }

  /// All four rows slid at once. Tiles of 32768 and more are not distinguished here; see `isExact`.
  @frozen
  public struct Slide: Sendable {
    /// The rows slid to the left (or up, when the board was transposed).
    public let toStart: UInt64
    /// The rows slid to the right (or down, when the board was transposed).
    public let toEnd: UInt64
    /// Score points.
    public let reward: UInt32

    @inlinable
    init(toStart: UInt64, toEnd: UInt64, reward: UInt32) {
      self.toStart = toStart
      self.toEnd = toEnd
      self.reward = reward
    }

    /// Whether the result is exact. It is false when two tiles of 32768 may have merged. In this case, and if the board
    /// has `overflow`, the general rules of `Board.slid(_:in:)` apply.
    @inlinable public var isExact: Bool { reward < 0x1_0000 }
  }

  @inlinable @inline(__always)
  func slide(_ bits: UInt64, _ table: LineTable) -> Slide {
    let (a, b, c, d) = (table[bits], table[bits >> 16], table[bits >> 32], table[bits >> 48])
    return Slide(
      toStart: a.toStart | b.toStart << 16 | c.toStart << 32 | d.toStart << 48,
      toEnd: a.toEnd | b.toEnd << 16 | c.toEnd << 32 | d.toEnd << 48,
      reward: a.reward &+ b.reward &+ c.reward &+ d.reward)
  }

  /// Slides the rows of `bits` left and right.
  @inlinable @inline(__always)
  public func slideRows(_ bits: UInt64) -> Slide {
    slide(bits, rows)
  }

  /// Slides the columns of a transposed board up and down; the results are transposed too.
  @inlinable @inline(__always)
  public func slideColumns(transposed bits: UInt64) -> Slide {
    slide(bits, columns)
  }

  /// The afterstate and reward of `move`, or `nil` when it is illegal.
  @inlinable
  public func afterstate(of move: Move, on board: Board) -> MoveOutcome? {
    let slide = move.isHorizontal ? slideRows(board.bits) : slideColumns(transposed: board.bits.nibblesTransposed)
    guard board.overflow == 0, slide.isExact else { return board.slid(move, in: shape) }
    var bits = move == .left || move == .up ? slide.toStart : slide.toEnd
    if !move.isHorizontal { bits = bits.nibblesTransposed }
    guard bits != board.bits else { return nil }
    return MoveOutcome(afterstate: Afterstate(bits: bits), reward: Int(slide.reward))
  }

  @inlinable
  public func legalMoves(on board: Board) -> MoveSet {
    let horizontal = slideRows(board.bits)
    let transposed = board.bits.nibblesTransposed
    let vertical = slideColumns(transposed: transposed)
    guard board.overflow == 0 else { return board.legalMovesByRules(in: shape) }
    return MoveSet(
      up: vertical.toStart ^ transposed, right: horizontal.toEnd ^ board.bits, down: vertical.toEnd ^ transposed,
      left: horizontal.toStart ^ board.bits)
  }
}
