internal import SetEngine

/// A state of the game in one number: bit i says that card i lies on the table, bit 27 + i that it is still unseen.
///
/// Positions, afterstates and deals that are under way all have codes of this kind.
struct StateCode: Hashable, Sendable {
  let bits: UInt64

  static let cards: UInt64 = 1 << 27 - 1

  init(bits: UInt64) { self.bits = bits }

  /// - Precondition: all cards are among the first 27.
  init(table: CardSet, unseen: CardSet) {
    bits = Self.mask(of: table) | Self.mask(of: unseen) << 27
  }

  var tableBits: UInt64 { bits & Self.cards }
  var unseenBits: UInt64 { bits >> 27 }
  var table: CardSet { Self.cards(of: tableBits) }
  var unseen: CardSet { Self.cards(of: unseenBits) }

  /// The state once an unseen card lies on the table.
  func dealing(_ card: Int) -> StateCode {
    let dealt: UInt64 = 1 << UInt64(card)
    return StateCode(bits: (bits | dealt) & ~(dealt << 27))
  }

  /// The state once the cards of a Set on the table are taken.
  func taking(_ trio: Trio) -> StateCode {
    StateCode(bits: bits & ~Self.mask(of: trio.cards))
  }

  private static func mask(of cards: CardSet) -> UInt64 {
    cards.reduce(0) { $0 | 1 << UInt64($1.index) }
  }

  private static func cards(of mask: UInt64) -> CardSet {
    var (rest, cards) = (mask, CardSet())
    while rest != 0 {
      cards.insert(Card(index: rest.trailingZeroBitCount))
      rest &= rest - 1
    }
    return cards
  }
}
