/// Three different cards that are a Set, in the order of their index: a player's choice.
public struct Trio: Hashable, Sendable {
  public let first: Card
  public let second: Card
  public let third: Card

  /// The Set of three cards in any order; `nil` if they are not a Set.
  public init?(_ one: Card, _ two: Card, _ three: Card) {
    guard one != two, one.third(with: two) == three else { return nil }
    let (low, high) = (min(one, two), max(one, two))
    self.init(sorted: min(low, three), max(low, min(high, three)), max(high, three))
  }

  /// The Set that two different cards are part of; `nil` when they are the same card.
  public init?(completing one: Card, _ two: Card) {
    self.init(one, two, one.third(with: two))
  }

  /// Three cards known to be a Set and in order.
  @inlinable
  init(sorted first: Card, _ second: Card, _ third: Card) {
    (self.first, self.second, self.third) = (first, second, third)
  }

  /// The three cards as a set.
  @inlinable public var cards: CardSet { CardSet(first).union(CardSet(second)).union(CardSet(third)) }
}

extension Trio: CustomStringConvertible {
  /// The three cards in notation, separated by spaces.
  public var description: String { "\(first) \(second) \(third)" }
}
