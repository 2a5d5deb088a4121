/// Sums of a few numbers that do not depend on the order of the numbers, to the bit.
///
/// Floating-point addition rounds, so the order of terms affects the last bits. Here each term is first rounded to a
/// grid that depends only on the largest term: multiples of about 2^-40 of it. Sums of up to 4,096 such terms need no
/// rounding (the pre-rounding of reproducible summation; Demmel & Nguyen 2013). Terms of 0 do not change the sum.
package enum OrderFreeSum {
  /// A number that rounds terms to the grid when it is added and taken away again.
  ///
  /// - Parameter largest: the largest magnitude of the terms, below 2^1000
  @inlinable @inline(__always)
  package static func grid(for largest: Double) -> Double {
    // 1.5 * 2^(e + 12) for a largest term of exponent e: its unit in the last place is 2^(e - 40).
    let power = largest.bitPattern & 0x7ff0_0000_0000_0000
    return power == 0 ? 0 : 1.5 * Double(bitPattern: power + (12 << 52))
  }

  /// The sum of some terms.
  ///
  /// - Precondition: there are at most 4,096.
  package static func sum(_ terms: some Sequence<Double>) -> Double {
    var largest = 0.0
    for term in terms { largest = max(largest, abs(term)) }
    let grid = grid(for: largest)
    return terms.reduce(0) { $0 + (($1 + grid) - grid) }
  }
}
