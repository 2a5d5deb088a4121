/// Exact play once the deck is empty.
///
/// No more cards are dealt, so the result is the largest number of Sets without a common card, which can be taken in
/// any order. The search goes card by card: the card with the lowest index is either left over or taken with one of its
/// Sets. A table has at most 21 cards, which takes microseconds. The time grows exponentially with the number of cards.
extension CardSet {
  /// The largest number of Sets that can be taken from these cards when no more cards are dealt.
  @inlinable public var mostSets: Int { CardSet.mostSets(among: self, atLeast: 0) }

  /// A Set to take first, of a longest series of Sets; `nil` when there is none.
  ///
  /// Several Sets may be equally good; the first in the order of `sets` is returned.
  public var bestSet: Trio? {
    let most = mostSets
    var trios = sets
    while let trio = trios.next() {
      if subtracting(trio.cards).mostSets == most - 1 { return trio }
    }
    return nil
  }

  /// The largest number of Sets among `cards`, if it is more than `floor`; otherwise any number up to `floor`.
  @usableFromInline
  static func mostSets(among cards: CardSet, atLeast floor: Int) -> Int {
    var (rest, best) = (cards, 0)
    // Cards that are left over only reduce the upper bound, because three cards make at most one Set.
    while rest.count / 3 > Swift.max(best, floor), let card = rest.popFirst() {
      var pairs = rest.intersection(rest.reflected(about: card))
      while let second = pairs.popFirst() {
        let third = card.third(with: second)
        pairs.remove(third)
        let left = rest.subtracting(CardSet(second).union(CardSet(third)))
        let found = 1 + mostSets(among: left, atLeast: Swift.max(best, floor) - 1)
        best = Swift.max(best, found)
        if best == (rest.count + 1) / 3 { return best }
      }
    }
    return best
  }
}
