import SetEngine

/// The reference of these tests: cards as four numbers, Sets by trying all triples. Nothing here uses bits or tables.
enum Reference {
  private static let table = (0..<81).map { [$0 % 3, $0 / 3 % 3, $0 / 9 % 3, $0 / 27] }

  /// The number, colour, shape and shading of a card.
  static func values(_ card: Card) -> [Int] { table[card.index] }

  /// Whether three cards are a Set: each feature is all equal or all different.
  static func isSet(_ one: Card, _ two: Card, _ three: Card) -> Bool {
    let (a, b, c) = (values(one), values(two), values(three))
    return (0..<4).allSatisfy { feature in
      let equal = a[feature] == b[feature]
      return equal == (b[feature] == c[feature]) && equal == (a[feature] == c[feature])
    }
  }

  /// All Sets among some cards in ascending order, by trying all triples.
  static func sets(_ cards: [Card]) -> [[Card]] {
    let cards = cards.sorted()
    var found: [[Card]] = []
    for first in cards.indices {
      for second in cards.indices where second > first {
        for third in cards.indices
        where third > second && isSet(cards[first], cards[second], cards[third]) {
          found.append([cards[first], cards[second], cards[third]])
        }
      }
    }
    return found
  }

  /// The most Sets without a common card, by trying every subset of the Sets.
  static func mostSets(_ cards: [Card]) -> Int {
    let sets = Reference.sets(cards).map { Set($0) }
    func most(from start: Int, without used: Set<Card>) -> Int {
      (start..<sets.count).reduce(0) { best, index in
        guard sets[index].isDisjoint(with: used) else { return best }
        return max(best, 1 + most(from: index + 1, without: used.union(sets[index])))
      }
    }
    return most(from: 0, without: [])
  }

  /// All choices of `count` of some cards.
  static func choices(_ count: Int, of cards: ArraySlice<Card>) -> [[Card]] {
    guard count > 0 else { return [[]] }
    guard let first = cards.first else { return [] }
    let rest = cards.dropFirst()
    return choices(count - 1, of: rest).map { [first] + $0 } + choices(count, of: rest)
  }
}

/// All 81 cards.
let allCards = (0..<81).map { Card(index: $0) }

extension CardSet {
  /// `count` random cards.
  static func random(_ count: Int, using random: inout some RandomNumberGenerator) -> CardSet {
    CardSet(allCards.shuffled(using: &random).prefix(count))
  }
}
