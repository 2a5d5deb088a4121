/// The four features of a card, in the order of the digits of its index.
public enum CardFeature: Int, CaseIterable, Sendable {
  case number = 0
  case colour = 1
  case shape = 2
  case shading = 3
}

/// One of the 81 cards: a number, a colour, a shape and a shading, each with three values.
///
/// The index of a card is `number + 3 * colour + 9 * shape + 27 * shading`, each value in 0...2. So the first 27 cards
/// are all cards with the first shading. The first 9 of them are all of these with the first shape, and the first 3
/// differ only in number. As vectors over the field of three elements, three cards are a Set when they add up to zero.
public struct Card: Hashable, Sendable {
  @usableFromInline let byte: UInt8

  /// The number of different cards.
  @inlinable public static var count: Int { 81 }

  /// - Parameter index: in 0...80; it traps elsewhere
  @inlinable
  public init(index: Int) {
    precondition(index >= 0 && index < Card.count, "a card has an index in 0...80")
    byte = UInt8(truncatingIfNeeded: index)
  }

  /// A card from its values: 0, 1 or 2 each; it traps elsewhere.
  public init(number: Int, colour: Int, shape: Int, shading: Int) {
    for value in [number, colour, shape, shading] {
      precondition((0...2).contains(value), "a feature has the values 0, 1 and 2")
    }
    self.init(index: number + 3 * colour + 9 * shape + 27 * shading)
  }

  /// In 0...80.
  @inlinable public var index: Int { Int(byte) }

  /// The value of a feature, in 0...2.
  @inlinable
  public func value(of feature: CardFeature) -> Int {
    Int(truncatingIfNeeded: digits &>> UInt32(truncatingIfNeeded: feature.rawValue &* 2) & 3)
  }

  /// The only card that makes a Set with this card and another one. For two equal cards, the result is this card.
  ///
  /// Constant time, no table: in each pair of bits, values counted from 1 make the third by exclusive or where they
  /// differ (1 ^ 2 = 3, 1 ^ 3 = 2, 2 ^ 3 = 1).
  @inlinable @inline(__always)
  public func third(with other: Card) -> Card {
    let (one, two) = (digits &+ 0x55, other.digits &+ 0x55)
    let difference = one ^ two
    let differs = ((difference | difference &>> 1) & 0x55) &* 3
    return Card(digits: (difference | (one & ~differs)) &- 0x55)
  }
}

extension Card {
  /// The four values in two bits each, the number lowest.
  ///
  /// The index is divided by 9, and both of its halves by 3 at a time, by multiplication.
  @inlinable var digits: UInt32 {
    @inline(__always) get {
      let index = UInt32(byte)
      let nines = (index &* 57) &>> 9
      let halves = (index &- 9 &* nines) | nines &<< 16
      let threes = (halves &* 11) &>> 5 & 0x0003_0003
      let pairs = (halves &- 3 &* threes) | threes &<< 2
      return (pairs | pairs &>> 12) & 0xff
    }
  }

  /// - Parameter digits: four values of two bits each, none of them 3
  @inlinable @inline(__always)
  init(digits: UInt32) {
    let halves = (digits & 0x33) &+ 3 &* (digits &>> 2 & 0x33)
    byte = UInt8(truncatingIfNeeded: (halves & 15) &+ 9 &* (halves &>> 4))
  }
}

extension Card: Comparable {
  @inlinable
  public static func < (one: Card, two: Card) -> Bool { one.byte < two.byte }
}
