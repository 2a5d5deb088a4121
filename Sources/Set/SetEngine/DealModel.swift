/// The distribution of deals: every choice of unseen cards is equally likely.
///
/// A deal fills the table up to its size. If a full table has no Set, three more cards are dealt, repeatedly if
/// necessary. A table above its size is not refilled. Training, search and tests all use this distribution, enumerated
/// or sampled. It is a plain value.
public struct DealModel: Hashable, Sendable {
  /// How many cards the table holds after a deal, as long as the deck lasts.
  public let tableSize: Int

  public init(_ rules: SetRules = .standard) { tableSize = rules.tableSize }

  /// How many cards the next deal puts on the table; 0 when the player is to choose or the game is over.
  @inlinable
  public func dealSize(of afterstate: SetAfterstate) -> Int {
    let left = afterstate.unseen.count
    let missing = tableSize &- afterstate.table.count
    if left == 0 { return 0 }
    if missing > 0 { return Swift.min(missing, left) }
    return afterstate.table.hasSet ? 0 : Swift.min(3, left)
  }

  /// All deals that may come next, all equally likely. If no cards are dealt, it is only the empty deal.
  public func outcomes(of afterstate: SetAfterstate) -> DealOutcomes {
    DealOutcomes(unseen: afterstate.unseen, size: dealSize(of: afterstate))
  }

  /// Draws the next deal. One random number per card.
  @inlinable
  public func sample(of afterstate: SetAfterstate, using random: inout some RandomNumberGenerator) -> CardSet {
    let size = dealSize(of: afterstate)
    var (unseen, dealt) = (afterstate.unseen, CardSet())
    for _ in 0..<size { dealt.insert(unseen.removeRandom(using: &random)) }
    return dealt
  }

  /// Deals until the player is to choose or the game is over. One random number per card.
  ///
  /// Equal numbers deal equal cards in equal order, for any Sets that the player takes, as if the deck were shuffled
  /// before the game. So two players can be compared on equal decks.
  @inlinable
  public func position(after afterstate: SetAfterstate, using random: inout some RandomNumberGenerator) -> SetPosition {
    var (table, unseen) = (afterstate.table, afterstate.unseen)
    while case let size = dealSize(of: SetAfterstate(table: table, unseen: unseen)), size > 0 {
      for _ in 0..<size { table.insert(unseen.removeRandom(using: &random)) }
    }
    return SetPosition(uncheckedTable: table, unseen: unseen)
  }

  /// The position for an afterstate if no cards must be dealt; `nil` if cards must be dealt.
  @inlinable
  public func position(settled afterstate: SetAfterstate) -> SetPosition? {
    guard dealSize(of: afterstate) == 0 else { return nil }
    return SetPosition(uncheckedTable: afterstate.table, unseen: afterstate.unseen)
  }
}

/// The deals that may come next, one after the other: every choice of `size` cards.
public struct DealOutcomes: Sequence, IteratorProtocol, Sendable {
  private let unseen: CardSet
  private var following: CardSet?

  init(unseen: CardSet, size: Int) {
    self.unseen = unseen
    following = unseen.lowest(size)
  }

  public mutating func next() -> CardSet? {
    guard let cards = following else { return nil }
    following = successor(of: cards)
    return cards
  }

  /// The lowest dealt card that can move up to the next unseen card does so, and the cards below it return to the
  /// lowest places.
  private func successor(of cards: CardSet) -> CardSet? {
    var (dealt, below, above) = (cards, 0, unseen)
    while let card = dealt.popFirst() {
      while let skipped = above.popFirst(), skipped != card {}
      if let up = above.first, !dealt.contains(up) {
        return dealt.union(CardSet(up)).union(unseen.lowest(below))
      }
      below += 1
    }
    return nil
  }
}

extension CardSet {
  /// The `count` cards with the lowest indices.
  func lowest(_ count: Int) -> CardSet {
    var (rest, chosen) = (self, CardSet())
    for _ in 0..<count {
      guard let card = rest.popFirst() else { break }
      chosen.insert(card)
    }
    return chosen
  }
}
