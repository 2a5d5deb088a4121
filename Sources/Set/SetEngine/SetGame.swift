/// A game of Set in progress, with its table by place and its deck in order: for people, pages and records.
///
/// Training and search use `SetPosition` and `DealModel`, which have no places.
public typealias SetGame = MatchGame<Card>

extension MatchGame where Card == SetEngine.Card {
  /// A new game on a shuffled deck. Equal rules and equal random numbers give the same deck, and deal the same cards as
  /// `DealModel`.
  public init(rules: SetRules = .standard, using random: inout some RandomNumberGenerator) {
    self.init(deck: rules.shuffledDeck(using: &random), tableSize: rules.tableSize)
  }

  /// The cards on the table.
  public var tableCards: CardSet { CardSet(table) }
  /// The cards in the deck. A player who counts knows the set of these cards, but not their order.
  public var unseen: CardSet { CardSet(undealt) }
  /// Every Set on the table.
  public var sets: Trios { tableCards.sets }

  /// The position for a player or a value function; `nil` while `isStuck`, when three more must be dealt first.
  public var position: SetPosition? {
    isStuck ? nil : SetPosition(uncheckedTable: tableCards, unseen: unseen)
  }

  /// The places of a Set's cards, ascending; `nil` when one of them is not on the table.
  public func places(of trio: Trio) -> MatchPlaces? {
    guard let first = table.firstIndex(of: trio.first), let second = table.firstIndex(of: trio.second),
      let third = table.firstIndex(of: trio.third)
    else { return nil }
    return MatchPlaces(first, second, third)
  }

  /// Takes a Set, and deals three cards in its places or closes the gaps.
  ///
  /// - Returns: `nil`, and nothing happens, when one of its cards is not on the table.
  @discardableResult
  public mutating func take(_ trio: Trio) -> Turn? {
    guard let places = places(of: trio) else { return nil }
    return take(places)
  }
}
