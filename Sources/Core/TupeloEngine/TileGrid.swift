/// The common part of a board and an afterstate: sixteen tiles, stored as exponents (0 empty, 1 = 2, 2 = 4, ...).
///
/// `bits` has one nibble per cell, row by row, with cell 0 (top left) in the lowest nibble. Tiles beyond 32768 are 15
/// there. That is enough for finding empty cells and for drawing chance outcomes.
///
/// `overflow` has two bits per cell, with the part of an exponent above 15. It is zero in all but the longest games, so
/// the common path only tests one register for zero.
public protocol TileGrid: Hashable, Sendable {
  var bits: UInt64 { get }
  var overflow: UInt32 { get }
  init(bits: UInt64, overflow: UInt32)
}

extension TileGrid {
  /// The largest exponent a grid can hold: 2 to the power of 17 is the largest tile that 4x4 rules can reach.
  public static var maximumExponent: Int { 17 }

  /// The exponent at `cell` (row * 4 + column): 0 for empty, otherwise log2 of the tile.
  @inlinable
  public func exponent(at cell: Int) -> Int {
    let low = Int(bits >> UInt64(cell * 4) & 0xf)
    return overflow == 0 ? low : low + Int(overflow >> UInt32(cell * 2) & 3)
  }

  /// The grid with another exponent at `cell`.
  @inlinable
  public func replacing(cell: Int, with exponent: Int) -> Self {
    let cleared = bits & ~(0xf << UInt64(cell * 4))
    let clearedOverflow = overflow & ~(3 << UInt32(cell * 2))
    return Self(
      bits: cleared | UInt64(min(exponent, 15)) << UInt64(cell * 4),
      overflow: clearedOverflow | UInt32(max(exponent - 15, 0)) << UInt32(cell * 2))
  }

  /// The tile at `cell`: 0, 2, 4, ..., 131072.
  @inlinable
  public func tile(at cell: Int) -> Int {
    let exponent = exponent(at: cell)
    return exponent == 0 ? 0 : 1 << exponent
  }

  /// The exponent of the largest tile; 0 when there is none.
  public var largestExponent: Int {
    (0..<16).reduce(0) { max($0, exponent(at: $1)) }
  }

  /// The largest tile; 0 for an empty grid.
  public var largestTile: Int {
    let exponent = largestExponent
    return exponent == 0 ? 0 : 1 << exponent
  }

  /// The sum of all tiles, in score points.
  public var tileSum: Int {
    (0..<16).reduce(0) { $0 + tile(at: $1) }
  }

  /// A 1 in the lowest bit of every occupied nibble.
  @inlinable
  public var occupiedMask: UInt64 {
    let pairs = bits | bits >> 1
    return (pairs | pairs >> 2) & 0x1111_1111_1111_1111
  }

  /// The grid with rows and columns exchanged.
  @inlinable
  public var transposed: Self {
    guard overflow == 0 else { return permuted { ($0 & 3) * 4 + $0 >> 2 } }
    return Self(bits: bits.nibblesTransposed, overflow: 0)
  }

  /// The grid whose cell `c` is cell `source(c)` of this grid.
  @usableFromInline
  func permuted(_ source: (Int) -> Int) -> Self {
    (0..<16).reduce(Self(bits: 0, overflow: 0)) { $0.replacing(cell: $1, with: exponent(at: source($1))) }
  }
}

extension UInt64 {
  /// The number as a 4x4 matrix of nibbles, transposed by two rounds of exchanging blocks off the diagonal.
  @inlinable
  package var nibblesTransposed: UInt64 {
    let cells = self & 0xf0f0_0f0f_f0f0_0f0f
    let up = self & 0x0000_f0f0_0000_f0f0
    let down = self & 0x0f0f_0000_0f0f_0000
    let half = cells | up << 12 | down >> 12
    let diagonal = half & 0xff00_ff00_00ff_00ff
    let high = half & 0x00ff_00ff_0000_0000
    let low = half & 0x0000_0000_ff00_ff00
    return diagonal | high >> 24 | low << 24
  }
}
