package import SetEngine

/// The unseen cards of a position in random order: one possible continuation of the game.
///
/// Every choice of the position is played on the same decks (common random numbers). So luck that helps all choices
/// does not hide the differences between them.
package struct SampledDeck {
  /// The card to be dealt first comes first.
  package private(set) var cards: [Card] = []

  package init() {}

  /// Takes the unseen cards of a position, in the order of their index.
  package mutating func fill(_ unseen: CardSet) {
    cards.removeAll(keepingCapacity: true)
    for card in unseen { cards.append(card) }
  }

  /// Shuffles the cards (Fisher & Yates), with one random number for each card but the first.
  package mutating func shuffle(using random: inout some RandomNumberGenerator) {
    for last in stride(from: cards.count - 1, to: 0, by: -1) {
      let place = random.next().multipliedFullWidth(by: UInt64(last + 1)).high
      cards.swapAt(last, Int(truncatingIfNeeded: place))
    }
  }

  /// Deals until the player is to choose or the game is over.
  ///
  /// - Parameter afterstate: its unseen cards must be the last cards of this deck
  package func position(after afterstate: SetAfterstate, by deals: DealModel) -> SetPosition {
    var after = afterstate
    var next = cards.count - after.unseen.count
    while case let size = deals.dealSize(of: after), size > 0 {
      var deal = CardSet()
      for _ in 0..<size {
        deal.insert(cards[next])
        next += 1
      }
      after = SetAfterstate(table: after.table.union(deal), unseen: after.unseen.subtracting(deal))
    }
    return SetPosition(uncheckedTable: after.table, unseen: after.unseen)
  }
}
