/// A set of cards in 81 bits: no allocation, and every operation takes constant time.
///
/// Two words: cards 0...53 in the first, 54...80 in the second. So each third of the deck (one shading) is within a
/// word, and reflections need no carries between words.
public struct CardSet: Hashable, Sendable, BitwiseCopyable {
  /// Bit i is card i, for cards 0...53.
  @usableFromInline var low: UInt64
  /// Bit i is card 54 + i, for cards 54...80.
  @usableFromInline var high: UInt64

  @inlinable static var lowCount: Int { 54 }

  /// No card.
  @inlinable
  public init() { (low, high) = (0, 0) }

  @inlinable
  init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  public init(_ cards: some Sequence<Card>) {
    self.init()
    for card in cards { insert(card) }
  }

  /// The cards with an index below `count`.
  ///
  /// - Parameter count: in 0...81; it traps elsewhere
  public init(firstCards count: Int) {
    precondition((0...Card.count).contains(count), "a deck has at most 81 cards")
    low = count < Self.lowCount ? 1 << UInt64(count) - 1 : 1 << UInt64(Self.lowCount) - 1
    high = count < Self.lowCount ? 0 : 1 << UInt64(count - Self.lowCount) - 1
  }

  /// All 81 cards.
  @inlinable public static var all: CardSet { CardSet(low: 1 << 54 - 1, high: 1 << 27 - 1) }

  @inlinable public var isEmpty: Bool { low | high == 0 }
  /// The number of cards.
  @inlinable public var count: Int { low.nonzeroBitCount &+ high.nonzeroBitCount }

  /// The set of one card.
  @inlinable @inline(__always)
  public init(_ card: Card) {
    let index = UInt64(card.byte)
    // A shift by 64 or more gives zero.
    low = index < 54 ? 1 &<< index : 0
    high = index < 54 ? 0 : 1 &<< (index &- 54)
  }

  @inlinable public func contains(_ card: Card) -> Bool { !isDisjoint(with: CardSet(card)) }
  @inlinable public mutating func insert(_ card: Card) { formUnion(CardSet(card)) }
  @inlinable public mutating func remove(_ card: Card) { subtract(CardSet(card)) }

  @inlinable public func union(_ other: CardSet) -> CardSet {
    CardSet(low: low | other.low, high: high | other.high)
  }
  @inlinable public func intersection(_ other: CardSet) -> CardSet {
    CardSet(low: low & other.low, high: high & other.high)
  }
  @inlinable public func subtracting(_ other: CardSet) -> CardSet {
    CardSet(low: low & ~other.low, high: high & ~other.high)
  }
  @inlinable public mutating func formUnion(_ other: CardSet) { self = union(other) }
  @inlinable public mutating func subtract(_ other: CardSet) { self = subtracting(other) }
  @inlinable public func isDisjoint(with other: CardSet) -> Bool { intersection(other).isEmpty }
  @inlinable public func isSubset(of other: CardSet) -> Bool { subtracting(other).isEmpty }

  /// The card with the lowest index.
  @inlinable public var first: Card? {
    if low != 0 { return Card(index: low.trailingZeroBitCount) }
    return high == 0 ? nil : Card(index: 54 &+ high.trailingZeroBitCount)
  }

  /// Removes the card with the lowest index; `nil` for an empty set.
  @inlinable @inline(__always)
  public mutating func popFirst() -> Card? {
    if low != 0 {
      let card = Card(index: low.trailingZeroBitCount)
      low &= low &- 1
      return card
    }
    guard high != 0 else { return nil }
    let card = Card(index: 54 &+ high.trailingZeroBitCount)
    high &= high &- 1
    return card
  }
}

extension CardSet: Sequence {
  /// The cards in the order of their index.
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline var rest: CardSet

    @inlinable init(_ cards: CardSet) { rest = cards }

    @inlinable
    public mutating func next() -> Card? { rest.popFirst() }
  }

  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  @inlinable public var underestimatedCount: Int { count }
}

extension CardSet {
  /// The card with `rank` cards of lower index in the set.
  ///
  /// - Parameter rank: in 0..<count; it traps elsewhere
  @inlinable
  public func card(ofRank rank: Int) -> Card {
    precondition(rank >= 0, "a rank is at least 0")
    let inLow = low.nonzeroBitCount
    if rank < inLow { return Card(index: CardSet.position(ofRank: rank, in: low)) }
    precondition(rank &- inLow < high.nonzeroBitCount, "a rank is below the number of cards")
    return Card(index: 54 &+ CardSet.position(ofRank: rank &- inLow, in: high))
  }

  /// Removes a random card, each with equal probability (bias below 2^-57). One random number per card.
  ///
  /// - Precondition: the set is not empty.
  @inlinable
  public mutating func removeRandom(using random: inout some RandomNumberGenerator) -> Card {
    let rank = random.next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: count)).high
    let card = card(ofRank: Int(truncatingIfNeeded: rank))
    remove(card)
    return card
  }

  /// The position of the set bit of a rank: its byte by prefix sums of the bits per byte, then bit by bit.
  @inlinable @inline(__always)
  static func position(ofRank rank: Int, in word: UInt64) -> Int {
    var sums = word &- (word &>> 1 & 0x5555_5555_5555_5555)
    sums = (sums & 0x3333_3333_3333_3333) &+ (sums &>> 2 & 0x3333_3333_3333_3333)
    sums = (sums &+ sums &>> 4) & 0x0f0f_0f0f_0f0f_0f0f
    // Byte k: the bits of bytes 0...k.
    sums = sums &* 0x0101_0101_0101_0101
    let rank = UInt64(truncatingIfNeeded: rank)
    let passed = ((rank &* 0x0101_0101_0101_0101 | 0x8080_8080_8080_8080) &- sums) & 0x8080_8080_8080_8080
    let shift = (passed &>> 7 &* 0x0101_0101_0101_0101) &>> 56 &* 8
    var byte = word &>> shift & 0xff
    var left = rank &- ((sums &<< 8) &>> shift & 0xff)
    while left > 0 {
      byte &= byte &- 1
      left &-= 1
    }
    return Int(truncatingIfNeeded: shift) &+ byte.trailingZeroBitCount
  }
}

extension CardSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral cards: Card...) { self.init(cards) }
}

extension CardSet: CustomStringConvertible {
  /// The cards in notation, in the order of their index, separated by spaces.
  public var description: String { map { $0.notation }.joined(separator: " ") }
}
