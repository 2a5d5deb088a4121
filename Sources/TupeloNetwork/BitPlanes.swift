public import TupeloEngine

/// A board cut into planes: bits 0 to 15 are the lowest bits of the exponents of the sixteen cells in reading order, bits 16 to 31 the
/// second ones, and so on. Here two boards at a time, one in each lane.
extension SIMD2<UInt64> {
  /// The planes of a board and of its transpose.
  @inlinable @inline(__always)
  init(planesAndTransposedPlanesOf bits: UInt64) {
    let planes = bits.bitPlanes
    self.init(planes, planes.squaresTransposed)
  }

  /// Rows from bottom to top, within each plane.
  @inlinable @inline(__always)
  var rowsReversed: Self {
    let swapped = (self & 0x00ff_00ff_00ff_00ff) &<< 8 | (self &>> 8 & 0x00ff_00ff_00ff_00ff)
    return (swapped & 0x0f0f_0f0f_0f0f_0f0f) &<< 4 | (swapped &>> 4 & 0x0f0f_0f0f_0f0f_0f0f)
  }

  /// Columns from right to left.
  @inlinable @inline(__always)
  var columnsReversed: Self {
    let pairs = (self & 0x3333_3333_3333_3333) &<< 2 | (self &>> 2 & 0x3333_3333_3333_3333)
    return (pairs & 0x5555_5555_5555_5555) &<< 1 | (pairs &>> 1 & 0x5555_5555_5555_5555)
  }
}

extension UInt64 {
  /// The planes of a board: within each row from cells of four bits to four planes; then rows of planes become planes of rows.
  @inlinable @inline(__always)
  var bitPlanes: UInt64 { squaresTransposed.nibblesTransposed }

  /// Each 16 bits taken as a square of four by four, transposed.
  @inlinable @inline(__always)
  var squaresTransposed: UInt64 {
    let small = (self ^ self >> 3) & 0x0a0a_0a0a_0a0a_0a0a
    let half = self ^ small ^ small << 3
    let large = (half ^ half >> 6) & 0x00cc_00cc_00cc_00cc
    return half ^ large ^ large << 6
  }
}
