package import TupeloEngine

/// Codes positions of a small board in 32 bits. A code is a number in base cells + 2 whose digits are the exponents,
/// cell 0 lowest.
///
/// No tile on n cells exceeds 2^(n + 1): a tile of 2^k needs k - 1 cells when the largest tile that appears is a 4. So
/// digits go to n + 1. The 11^9 codes of a 3x3 board and the 10^8 codes of a 2x4 board fit 32 bits. Codes are in the
/// order of `Board.bits`. Code 0 is the empty board's, which is not a position.
package struct StateCode: Sendable {
  package let shape: BoardShape
  /// Digits of a code are below this.
  package let base: Int
  private let rows: Int
  private let rowBase: UInt32
  /// The code of a row, by its bits; it has no meaning for rows with too large a tile.
  private let codes: [UInt16]
  /// The bits of a row, by its code.
  private let bits: [UInt16]
  private let form: CanonicalForm

  /// - Precondition: at most nine cells.
  package init(_ shape: BoardShape) {
    precondition(shape.cellCount <= 9, "codes have 32 bits")
    self.shape = shape
    rows = shape.rows
    base = shape.cellCount + 2
    let columns = shape.columns
    var rowBase = 1
    for _ in 0..<columns { rowBase *= base }
    var codes = [UInt16](repeating: 0, count: 1 << (4 * columns))
    var bits = [UInt16](repeating: 0, count: rowBase)
    for code in 0..<rowBase {
      var (row, rest) = (0, code)
      for column in 0..<columns {
        row |= (rest % base) << (4 * column)
        rest /= base
      }
      codes[row] = UInt16(code)
      bits[code] = UInt16(row)
    }
    self.rowBase = UInt32(rowBase)
    self.codes = codes
    self.bits = bits
    form = CanonicalForm(shape)
  }

  /// Whether the position has a code: no tile is too large or outside the shape, and there is at least one tile.
  package func covers(_ grid: some TileGrid) -> Bool {
    guard grid.overflow == 0, grid.bits != 0, grid.occupiedMask & ~shape.cellMask == 0 else { return false }
    return grid.largestExponent < base
  }

  /// The code of a position for which `covers` is true.
  @inline(__always)
  package func code(of position: UInt64) -> UInt32 {
    var code: UInt32 = 0
    var row = rows
    while row > 0 {
      row &-= 1
      code = code &* rowBase &+ UInt32(codes[Int(truncatingIfNeeded: position &>> UInt64(16 &* row) & 0xffff)])
    }
    return code
  }

  /// The position of a code.
  @inline(__always)
  package func position(of code: UInt32) -> UInt64 {
    var position: UInt64 = 0
    var rest = code
    var shift: UInt64 = 0
    for _ in 0..<rows {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: rowBase)
      position |= UInt64(bits[Int(remainder)]) &<< shift
      rest = quotient
      shift &+= 16
    }
    return position
  }

  /// The least of all positions that are symmetric to a position.
  @inline(__always)
  package func canonical(_ position: UInt64) -> UInt64 { form(position) }

  /// The code of the least of all symmetric positions.
  @inline(__always)
  package func canonicalCode(of position: UInt64) -> UInt32 {
    code(of: canonical(position))
  }
}
