/// A game in progress for one player, with any cards that can match: a table, a deck in its order, and a score.
///
/// A player takes cards that match, and cards from the deck fill their places. When the table holds more cards than at
/// the start, or the deck is empty, the table shrinks instead. When no three cards match, three more are dealt. The
/// game is over when no three cards match and the deck is empty.
///
/// The order of the deck is fixed before the game, so the game draws no random numbers. Only `matches` allocates
/// memory. Training and search use `SetPosition` and `DealModel`, which play the same games many times faster.
public struct MatchGame<Card: Matchable> {
  /// How many cards the table holds when the deck lasts.
  public let tableSize: Int
  /// The cards on the table, by place.
  public private(set) var table: [Card]
  /// Trios taken so far.
  public private(set) var score = 0
  /// The first three places whose cards match: a hint. `nil` when no cards match.
  public private(set) var hint: MatchPlaces?
  /// All cards of the game in the order in which they are dealt.
  @usableFromInline let deck: [Card]
  /// How many cards have been dealt.
  @usableFromInline var dealtCount: Int

  /// The effect of one turn.
  public struct Turn {
    /// The three cards taken, by place; `nil` when three more were dealt.
    public let taken: (Card, Card, Card)?
    /// The cards dealt, in the order of their places.
    public let dealt: ArraySlice<Card>
  }

  /// A new game with the first cards of the deck on the table.
  ///
  /// - Parameters:
  ///   - deck: each card once, the first one is dealt first
  ///   - tableSize: at least 3
  public init(deck: [Card], tableSize: Int = 12) {
    precondition(tableSize >= 3, "a table holds at least three cards")
    self.tableSize = tableSize
    self.deck = deck
    dealtCount = Swift.min(tableSize, deck.count)
    table = []
    table.reserveCapacity(tableSize + 9)
    table += deck[..<dealtCount]
    hint = table.firstMatch
  }

  /// How many cards the deck still has.
  public var deckCount: Int { deck.count - dealtCount }
  /// The cards of the deck that have not been dealt. A player does not know their order.
  public var undealt: ArraySlice<Card> { deck[dealtCount...] }
  /// Every three places whose cards match.
  public var matches: [MatchPlaces] { table.matches }
  /// True when no cards match and the deck has more: the only time at which `dealMore()` deals.
  public var isStuck: Bool { hint == nil && deckCount > 0 }
  public var isOver: Bool { hint == nil && deckCount == 0 }

  /// Takes three cards that match, and deals three in their places or closes the gaps.
  ///
  /// - Returns: `nil`, and nothing happens, when the places are not on the table or their cards do not match.
  @discardableResult
  public mutating func take(_ places: MatchPlaces) -> Turn? {
    guard places.first >= 0, places.third < table.count else { return nil }
    let taken = (table[places.first], table[places.second], table[places.third])
    guard Card.match(taken.0, taken.1, taken.2) else { return nil }
    let dealt = nextCards(table.count > tableSize ? 0 : 3)
    // The loop begins with the last place, so that removing a card does not move places that are still to be filled.
    for (rank, place) in [(2, places.third), (1, places.second), (0, places.first)] {
      if rank < dealt.count {
        table[place] = dealt[dealt.startIndex + rank]
      } else {
        table.remove(at: place)
      }
    }
    score += 1
    hint = table.firstMatch
    return Turn(taken: taken, dealt: dealt)
  }

  /// Deals three more cards to a table on which no cards match.
  ///
  /// - Returns: `nil`, and nothing happens, unless `isStuck`.
  @discardableResult
  public mutating func dealMore() -> Turn? {
    guard isStuck else { return nil }
    let dealt = nextCards(3)
    table += dealt
    hint = table.firstMatch
    return Turn(taken: nil, dealt: dealt)
  }

  /// Up to `count` cards from the deck.
  private mutating func nextCards(_ count: Int) -> ArraySlice<Card> {
    let start = dealtCount
    dealtCount = Swift.min(start + count, deck.count)
    return deck[start..<dealtCount]
  }
}

extension MatchGame: Sendable where Card: Sendable {}
extension MatchGame.Turn: Sendable where Card: Sendable {}
