internal import SetEngine

/// The weight against a position for a card that is left with few Sets.
///
/// A random card of n lies in `mean` = (n - 1)(n - 2) / (2 (N - 2)) Sets, where N is the number of cards in the deck of
/// the rules. A card in k Sets weighs exp(-6 k / mean). So a card without a Set weighs 1, and each further Set matters
/// less than the Set before. The factor 6 was the best of 0.25, 0.5, 1, 2, 4, 6, 8 and 12.
struct PartnerWeights: Sendable {
  /// The weight 1. Weights are whole numbers: their sums do not depend on the order of the cards.
  static let one = 1 << 20
  /// A card lies in 0...40 Sets.
  private static let counts = 41
  /// By number of cards and number of Sets.
  private let weights: [Int32]

  init(_ rules: SetRules) {
    let others = Double(max(rules.cardCount - 2, 1))
    weights = (0...Card.count).flatMap { cards in
      let mean = max(Double((cards - 1) * (cards - 2)) / (2 * others), 0.1)
      let ratio = Self.exponential(of: -6 / mean)
      var weight = Double(Self.one)
      return (0..<Self.counts).map { _ in
        defer { weight *= ratio }
        return Int32(weight.rounded())
      }
    }
  }

  /// The weight of a card that lies in `sets` Sets of `cards` cards.
  @inline(__always)
  subscript(cards cards: Int, sets sets: Int) -> Int32 { weights[cards &* Self.counts &+ sets] }

  /// e^x for x in -60...0, as (1 + x / 1024)^1024: the standard library has no exponential.
  private static func exponential(of x: Double) -> Double {
    (0..<10).reduce(1 + x / 1024) { power, _ in power * power }
  }
}
