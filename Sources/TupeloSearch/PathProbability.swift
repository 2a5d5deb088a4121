/// How likely a board is, counted from the root of a search, to twelve binary digits: few enough to be part of a
/// table's key.
///
/// Every product is rounded, so equal probabilities that were multiplied in another order are mostly equal here too;
/// where they are not, a table misses and nothing else.
struct PathProbability: Hashable {
  let value: Float

  static let one = PathProbability(1)

  /// Of a number that is not negative, rounded to the nearest.
  init(_ value: Float) {
    self.value = Float(bitPattern: (value.bitPattern + 0x400) & ~0x7ff)
  }

  /// What is left of the bits of a number that is not negative: twenty.
  var code: UInt64 { UInt64(value.bitPattern >> 11) }

  func times(_ probability: Double) -> PathProbability {
    PathProbability(value * Float(probability))
  }
}
