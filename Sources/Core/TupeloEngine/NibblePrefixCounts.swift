/// Counts, for each nibble, the marked nibbles at or below it. This finds the k-th marked nibble without a branch that
/// depends on k. A loop over set bits mispredicts about once per tile, which costs more than all of this arithmetic.
@usableFromInline
struct NibblePrefixCounts {
  /// The counts: nibble i has the number of marks in nibbles 0...i, modulo 16.
  @usableFromInline let counts: UInt64

  @inlinable @inline(__always)
  init(_ mask: UInt64) {
    counts = mask &* 0x1111_1111_1111_1111
  }

  /// The number of marks, 1 to 16.
  @inlinable @inline(__always)
  var total: UInt64 { (((counts >> 60) &- 1) & 0xf) &+ 1 }

  /// The nibble (0 to 15) of the mark with `rank` marks below it.
  ///
  /// The result is the number of nibbles whose count is not above `rank`. The last nibble is left out, because its
  /// count is the total, which is above every rank.
  @inlinable @inline(__always)
  func position(ofRank rank: UInt64) -> Int {
    let limit = 0x8080_8080_8080_8080 | rank &* 0x0101_0101_0101_0101
    let even = ((limit &- counts & 0x0f0f_0f0f_0f0f_0f0f) >> 7) & 0x0101_0101_0101_0101
    let odd = ((limit &- (counts >> 4) & 0x000f_0f0f_0f0f_0f0f) >> 7) & 0x0001_0101_0101_0101
    return Int(((even &+ odd) &* 0x0101_0101_0101_0101) >> 56)
  }
}

extension UInt64 {
  /// The prefix counts of a mask that has bits only in the lowest place of nibbles.
  @inlinable @inline(__always)
  var nibblePrefixCounts: NibblePrefixCounts { NibblePrefixCounts(self) }
}
