public import SetEngine
internal import TupeloBase

/// Takes a uniformly random Set.
public struct RandomSetPlayer: SetAgent {
  private var random: RandomStream

  public init(seed: UInt64 = 0) { random = .agentStream(seed: seed, number: 0) }

  public mutating func beginGame(seed: UInt64, number: UInt64) { random = .agentStream(seed: seed, number: number) }

  public mutating func choice(in position: SetPosition) -> Trio? {
    let count = position.table.setCount
    return count == 0 ? nil : position.table.set(ofRank: random.next(below: count))
  }
}

/// Takes the Set that leaves the largest number of other Sets on the table; if several are equal, the first in the
/// order of `CardSet.sets`.
public struct MostLeftPlayer: SetAgent {
  public init() {}

  public mutating func choice(in position: SetPosition) -> Trio? {
    position.sets.leastLoss(among: position.table)
  }
}

/// Counts cards: takes the Set that leaves the largest number of Sets among all cards not yet taken, on the table or in
/// the deck. If several are equal, it takes the first in the order of `CardSet.sets`.
///
/// If t cards with s Sets among them have been taken, the remaining cards have 1080 - 40 t + t (t - 1) / 2 - s Sets. So
/// this player also minimises the number of Sets among the taken cards.
public struct CountingPlayer: SetAgent {
  public init() {}

  public mutating func choice(in position: SetPosition) -> Trio? {
    position.sets.leastLoss(among: position.table.union(position.unseen))
  }
}

extension Trios {
  /// The Set whose cards are in the smallest number of Sets of `cards`; if several are equal, the first of them.
  func leastLoss(among cards: CardSet) -> Trio? {
    var (trios, best, least) = (self, Trio?.none, Int.max)
    while let trio = trios.next() {
      let lost = cards.setsLost(taking: trio)
      if lost < least { (best, least) = (trio, lost) }
    }
    return best
  }
}
