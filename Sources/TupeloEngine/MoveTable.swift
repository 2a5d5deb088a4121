/// The rules of sliding, precomputed for every row of up to four tiles.
///
/// One entry of eight bytes per row holds the row slid to its start, the row slid to its end and the reward, which is the
/// same for both: a run of k equal tiles merges k/2 times from either side. A column is a row of the transposed board.
///
/// Soundness of the unsafe memory: a table has an entry for every 16-bit row, whatever its width, so no board can read past
/// it; it is written once before its pointer is first seen, and never freed. Narrow rows ignore the tiles outside them.
@safe
public struct MoveTable: @unchecked Sendable {
  @usableFromInline let rows: UnsafePointer<UInt64>
  @usableFromInline let columns: UnsafePointer<UInt64>
  public let shape: BoardShape

  public init(_ shape: BoardShape = .standard) {
    unsafe rows = RowTables.table(width: shape.columns)
    unsafe columns = RowTables.table(width: shape.rows)
    self.shape = shape
  }

  /// All four rows slid at once. Tiles beyond 32768 are not told apart here; see `isExact`.
  @frozen
  public struct Slide: Sendable {
    /// Slid to the left (or up, when the board was transposed).
    public let toStart: UInt64
    /// Slid to the right (or down, when the board was transposed).
    public let toEnd: UInt64
    /// Score points.
    public let reward: UInt32

    @inlinable
    init(toStart: UInt64, toEnd: UInt64, reward: UInt32) {
      self.toStart = toStart
      self.toEnd = toEnd
      self.reward = reward
    }

    /// False when two tiles of 32768 may have merged: then, and when the board has `overflow`, the general rules of
    /// `Board.slid(_:in:)` decide.
    @inlinable public var isExact: Bool { reward < 0x1_0000 }
  }

  @inlinable @inline(__always)
  func slide(_ bits: UInt64, _ table: UnsafePointer<UInt64>) -> Slide {
    let a = unsafe table[Int(bits & 0xffff)]
    let b = unsafe table[Int(bits >> 16 & 0xffff)]
    let c = unsafe table[Int(bits >> 32 & 0xffff)]
    let d = unsafe table[Int(bits >> 48)]
    let toStart = a & 0xffff | (b & 0xffff) << 16 | (c & 0xffff) << 32 | d << 48
    let toEnd = a >> 16 & 0xffff | b & 0xffff_0000 | (c & 0xffff_0000) << 16 | (d & 0xffff_0000) << 32
    let reward = UInt32(truncatingIfNeeded: (a >> 32) &+ (b >> 32) &+ (c >> 32) &+ (d >> 32))
    return Slide(toStart: toStart, toEnd: toEnd, reward: reward)
  }

  /// `bits` slid left and right.
  @inlinable @inline(__always)
  public func slideRows(_ bits: UInt64) -> Slide {
    unsafe slide(bits, rows)
  }

  /// A transposed board slid up and down; the results are transposed too.
  @inlinable @inline(__always)
  public func slideColumns(transposed bits: UInt64) -> Slide {
    unsafe slide(bits, columns)
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
      up: vertical.toStart != transposed, right: horizontal.toEnd != board.bits, down: vertical.toEnd != transposed,
      left: horizontal.toStart != board.bits)
  }
}

/// The tables themselves, one per row width.
@safe
enum RowTables {
  @unsafe
  static func table(width: Int) -> UnsafePointer<UInt64> {
    switch width {
    case 2: unsafe two.base
    case 3: unsafe three.base
    default: unsafe four.base
    }
  }

  private static let two = Table(width: 2)
  private static let three = Table(width: 3)
  private static let four = Table(width: 4)

  /// Owns a table for the life of the process.
  @safe
  private struct Table: @unchecked Sendable {
    let base: UnsafePointer<UInt64>

    init(width: Int) {
      let count = 1 << (4 * width)
      let table = UnsafeMutablePointer<UInt64>.allocate(capacity: 1 << 16)
      for row in 0..<count {
        let tiles = (0..<width).map { row >> ($0 * 4) & 0xf }
        let start = slideLine(tiles)
        let end = slideLine(tiles.reversed())
        let entry = Self.pack(start.tiles) | Self.pack(end.tiles.reversed()) << 16 | UInt64(start.reward) << 32
        unsafe (table + row).initialize(to: entry)
      }
      for row in count..<1 << 16 {
        unsafe (table + row).initialize(to: table[row & (count - 1)])
      }
      unsafe base = UnsafePointer(table)
    }

    private static func pack(_ tiles: [Int]) -> UInt64 {
      tiles.reversed().reduce(0) { $0 << 4 | UInt64(min($1, 15)) }
    }
  }
}
