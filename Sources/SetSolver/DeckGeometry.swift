internal import SetEngine

/// The cards of a deck as the points of an affine space: third cards, and the lines through every card.
///
/// A deck of f features is the space of dimension f over the field of three elements, and a Set is a line. The maps
/// that take Sets to Sets are the affine maps. There is exactly one map from each frame to each other frame, where a
/// frame is f + 1 cards of which none lies in the span of those before it: 6, 432 and 303,264 for f = 1, 2, 3.
struct DeckGeometry: Sendable {
  /// 1...3
  let features: Int
  /// 3, 9 or 27
  let cardCount: Int
  /// The third card of cards a and b at `27 * a + b`; of a card with itself, the card again.
  let thirds: [UInt8]
  /// The lines through every card: the other two cards of line k through card c at `26 * c + 2 * k`.
  let partners: [UInt8]

  /// - Precondition: the rules have at most three features.
  init(_ rules: SetRules) {
    precondition(rules.features <= 3, "larger decks are not solved")
    features = rules.features
    cardCount = rules.cardCount
    var (thirds, partners) = ([UInt8](repeating: 0, count: 27 * 27), [UInt8](repeating: 0, count: 27 * 26))
    for first in 0..<rules.cardCount {
      var place = 26 * first
      for second in 0..<rules.cardCount {
        let third = Card(index: first).third(with: Card(index: second)).index
        thirds[27 * first + second] = UInt8(third)
        guard second < third else { continue }
        (partners[place], partners[place + 1]) = (UInt8(second), UInt8(third))
        place += 2
      }
    }
    (self.thirds, self.partners) = (thirds, partners)
  }

  /// The number of lines through a card: 1, 4 or 13.
  var linesThroughCard: Int { (cardCount - 1) / 2 }

  func third(_ one: Int, _ two: Int) -> Int { Int(thirds[27 * one + two]) }

  /// The card one + two - origin of the affine space.
  func sum(_ one: Int, _ two: Int, origin: Int) -> Int { third(origin, third(one, two)) }
}
