/// The probability of a board, counted from the root of a search and divided by the cut-off probability. It has only
/// twelve binary digits, so that it fits into a table's key.
///
/// The value of a board depends on this quotient, and not on the cut-off alone. So one table serves searches with
/// different cut-offs.
///
/// Every product is rounded. So equal probabilities are mostly equal here, too, even if they were multiplied in a
/// different order. If they are not equal, the table misses, and values do not change.
struct PathProbability: Hashable {
  private let value: Float

  /// The root of a search that values boards below a probability greedily. With 0 the quotient is infinite, also of all
  /// boards below the root, so nothing is cut off.
  init(rootOf minimumProbability: Double) {
    self.init(Float(1 / minimumProbability))
  }

  /// Rounds a number that is not negative to the nearest probability.
  private init(_ value: Float) {
    self.value = Float(bitPattern: (value.bitPattern + 0x400) & ~0x7ff)
  }

  /// The bits that rounding leaves of the number: twenty.
  var code: UInt64 { UInt64(value.bitPattern >> 11) }

  /// Whether the board is cut off. Sixteen roundings take at most 2 to the power of -9 from a board with exactly the
  /// cut-off probability.
  var isCutOff: Bool { value < 1 - 0x1p-9 }

  func times(_ probability: Double) -> PathProbability {
    // Zero times infinity is not a number.
    PathProbability(value * max(Float(probability), .leastNormalMagnitude))
  }
}
