public import SetEngine

/// Counts cards: takes the Set that leaves most Sets among all cards not yet taken, on the table or in the deck. Of
/// equals, it takes the first in the order of `CardSet.sets`.
///
/// With t cards taken that hold s Sets, the others hold 1080 - 40 t + t (t - 1) / 2 - s. So this player also takes the
/// Sets that make fewest Sets among the cards taken.
public struct CountingPlayer: SetAgent {
  public init() {}

  public mutating func choice(in position: SetPosition) -> Trio? {
    position.sets.leastLoss(among: position.table.union(position.unseen))
  }
}

extension Trios {
  /// The Set whose cards lie in fewest Sets of `cards`, the first of equals.
  func leastLoss(among cards: CardSet) -> Trio? {
    var (trios, best, least) = (self, Trio?.none, Int.max)
    while let trio = trios.next() {
      let lost = cards.setsLost(taking: trio)
      if lost < least { (best, least) = (trio, lost) }
    }
    return best
  }
}
