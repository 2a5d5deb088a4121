/// A position in which the player is to choose a Set, or the game is over.
///
/// The order of the deck is unknown, so a position is two sets of cards. The cards that are in neither have been taken.
public struct SetPosition: Hashable, Sendable {
  /// The cards on the table. They hold a Set, unless the game is over.
  public let table: CardSet
  /// The cards still in the deck, in unknown order.
  public let unseen: CardSet

  /// Makes a position without checks, because `DealModel` makes only valid ones. `init(table:unseen:rules:)` checks.
  @inlinable
  public init(uncheckedTable table: CardSet, unseen: CardSet) {
    (self.table, self.unseen) = (table, unseen)
  }

  /// The choices: every Set on the table.
  @inlinable public var sets: Trios { table.sets }
  /// True when there is no Set on the table. The deck is empty then.
  @inlinable public var isOver: Bool { !table.hasSet }

  /// Takes a Set, before any card is dealt; `nil` when the table does not hold its cards. The reward is one Set.
  @inlinable
  public func afterstate(of trio: Trio) -> SetAfterstate? {
    let cards = trio.cards
    guard cards.isSubset(of: table) else { return nil }
    return SetAfterstate(table: table.subtracting(cards), unseen: unseen)
  }
}

/// A position right after a choice, before cards are dealt. Value functions are defined over afterstates.
public struct SetAfterstate: Hashable, Sendable, BitwiseCopyable {
  /// The cards left on the table.
  public let table: CardSet
  /// The cards still in the deck, in unknown order.
  public let unseen: CardSet

  @inlinable
  public init(table: CardSet, unseen: CardSet) {
    (self.table, self.unseen) = (table, unseen)
  }

  /// An empty table and the whole deck: the start of every game, before the first deal.
  public init(startOf rules: SetRules) {
    self.init(table: CardSet(), unseen: rules.deck)
  }

  /// The afterstate once some unseen cards lie on the table. It may need one more deal.
  ///
  /// - Precondition: the cards are unseen.
  @inlinable
  public func dealing(_ cards: CardSet) -> SetAfterstate {
    precondition(cards.isSubset(of: unseen), "only unseen cards are dealt")
    return SetAfterstate(table: table.union(cards), unseen: unseen.subtracting(cards))
  }
}

extension SetPosition {
  /// A position given from outside, such as one that a person has typed.
  ///
  /// - Throws: `SetPositionError` if the rules cannot lead to the position. Every position of a game passes, and so do
  ///   a few positions that no game reaches.
  public init(table: CardSet, unseen: CardSet, rules: SetRules = .standard) throws(SetPositionError) {
    let cards = table.union(unseen)
    if let other = cards.subtracting(rules.deck).first { throw .notInDeck(other, rules) }
    if let both = table.intersection(unseen).first { throw .onTableAndUnseen(both) }
    guard table.count % 3 == 0, unseen.count % 3 == 0 else {
      throw .notInThrees(table: table.count, unseen: unseen.count)
    }
    // Taken cards are Sets, which add up to zero. All cards of a deck of 9 or more also add up to zero.
    let taken = rules.deck.subtracting(cards)
    for feature in CardFeature.allCases
    where taken.reduce(0, { $0 + $1.value(of: feature) }) % 3 != 0 { throw .takenAreNoSets(feature) }
    if !unseen.isEmpty {
      guard table.count >= rules.tableSize else { throw .tooFewOnTable(table.count, rules) }
      guard table.hasSet else { throw .noSetOnTable }
    }
    guard table.count <= 21 else { throw .tooManyOnTable(table.count) }
    self.init(uncheckedTable: table, unseen: unseen)
  }
}

/// Why no game has such a position.
public enum SetPositionError: Error, Hashable, Sendable {
  case notInDeck(Card, SetRules)
  case onTableAndUnseen(Card)
  case notInThrees(table: Int, unseen: Int)
  case takenAreNoSets(CardFeature)
  case tooFewOnTable(Int, SetRules)
  case tooManyOnTable(Int)
  case noSetOnTable
}

extension SetPositionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notInDeck(let card, let rules):
      "the card \(card) (\(card.name)) is not in a deck of \(rules.cardCount) cards: leave it out"
    case .onTableAndUnseen(let card):
      "the card \(card) (\(card.name)) is both on the table and unseen: give it once"
    case .notInThrees(let table, let unseen):
      "\(table) cards on the table and \(unseen) unseen: both are multiples of 3 in every game"
    case .takenAreNoSets(let feature):
      "the cards taken cannot be Sets, as their \(feature) shows: check which cards are on the table and unseen"
    case .tooFewOnTable(let count, let rules):
      "\(count) cards on the table and cards in the deck: the table is filled up to \(rules.tableSize) first"
    case .tooManyOnTable(let count):
      "\(count) cards on the table: there are never more than 21"
    case .noSetOnTable:
      "no Set on the table and cards in the deck: deal three more first"
    }
  }
}
