/// The probability of a board, counted from the root of a search. It has only twelve binary digits, so that it fits
/// into a table's key.
///
/// Every product is rounded. So equal probabilities are mostly equal here, too, even if they were multiplied in a
/// different order. If they are not equal, the table misses, and values do not change.
struct PathProbability: Hashable {
  let value: Float

  static let one = PathProbability(1)

  /// Rounds a number that is not negative to the nearest probability.
  init(_ value: Float) {
    self.value = Float(bitPattern: (value.bitPattern + 0x400) & ~0x7ff)
  }

  /// The bits that rounding leaves of the number: twenty.
  var code: UInt64 { UInt64(value.bitPattern >> 11) }

  func times(_ probability: Double) -> PathProbability {
    PathProbability(value * Float(probability))
  }
}
