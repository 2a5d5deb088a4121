/// Finding and counting the Sets among any number of cards.
///
/// A card c makes a Set of every other card x with the card `c.third(with: x)`. That map swaps two values of each
/// feature and keeps the value of c: a reflection about c. Masks and shifts apply it to all the cards of a set at once.
/// The Sets through c are then the cards whose reflections are in the set too.
extension CardSet {
  /// The third cards of the Sets that `card` makes with the cards of this set. The card itself stays where it is.
  @inlinable @inline(__always)
  public func reflected(about card: Card) -> CardSet {
    let digits = card.digits
    var result = self
    result.swapValues(keeping: digits & 3, zeros: 0x9_2492_4924_9249, stride: 1)
    result.swapValues(keeping: digits &>> 2 & 3, zeros: 0xe070_381c_0e07, stride: 3)
    result.swapValues(keeping: digits &>> 4 & 3, zeros: 0xf_f800_01ff, stride: 9)
    return result.thirdsSwapped(keeping: digits &>> 6)
  }

  /// Swaps the two other values of one of the first three features.
  ///
  /// - Parameters:
  ///   - kept: the value that keeps its cards
  ///   - zeros: the cards with value 0, in the low word; the high word has the same pattern
  ///   - stride: by how much an index grows when the value grows by 1
  @inlinable @inline(__always)
  mutating func swapValues(keeping kept: UInt32, zeros: UInt64, stride: UInt64) {
    let keptCards = zeros &<< (UInt64(kept) &* stride)
    let lowerCards = zeros &<< (kept == 0 ? stride : 0)
    let shift = kept == 1 ? 2 &* stride : stride
    low = low & keptCards | (low & lowerCards) &<< shift | low &>> shift & lowerCards
    high = high & keptCards | (high & lowerCards) &<< shift | high &>> shift & lowerCards
  }

  /// Swaps two values of the shading, that is two thirds of the deck.
  @inlinable @inline(__always)
  func thirdsSwapped(keeping kept: UInt32) -> CardSet {
    let third: UInt64 = 1 << 27 - 1
    let (zero, one, two) = (low & third, low &>> 27, high)
    switch kept {
    case 0: return CardSet(low: zero | two &<< 27, high: one)
    case 1: return CardSet(low: two | one &<< 27, high: zero)
    default: return CardSet(low: one | zero &<< 27, high: two)
    }
  }

  /// The number of Sets that `card`, in the set or not, makes with two cards of this set.
  @inlinable
  public func setCount(through card: Card) -> Int {
    let others = subtracting(CardSet(card))
    return others.intersection(others.reflected(about: card)).count / 2
  }

  /// The number of Sets among these cards: C(n, 3) / 79 on average over all sets of n cards.
  @inlinable public var setCount: Int {
    var (rest, twice) = (self, 0)
    while let card = rest.popFirst() {
      twice &+= rest.intersection(rest.reflected(about: card)).count
    }
    return twice / 2
  }

  /// True when three of these cards are a Set.
  @inlinable public var hasSet: Bool {
    var rest = self
    while let card = rest.popFirst() {
      if !rest.isDisjoint(with: rest.reflected(about: card)) { return true }
    }
    return false
  }

  /// All the Sets among these cards, in the order of their cards.
  @inlinable public var sets: Trios { Trios(self) }

  /// One Set among these cards, as a hint; `nil` when there is none.
  @inlinable public var hint: Trio? {
    var trios = sets
    return trios.next()
  }

  /// The Set with `rank` Sets before it in `sets`.
  ///
  /// - Parameter rank: in 0..<setCount; it traps elsewhere
  @inlinable
  public func set(ofRank rank: Int) -> Trio {
    var (trios, left) = (sets, rank)
    while let trio = trios.next() {
      if left == 0 { return trio }
      left &-= 1
    }
    preconditionFailure("a rank is below the number of Sets")
  }

  /// The number of Sets among these cards that are lost when the cards of `trio` leave, including `trio` itself.
  ///
  /// Two cards are in only one Set, so no other Set has two of the three cards.
  ///
  /// - Precondition: the cards of `trio` are in the set.
  @inlinable
  public func setsLost(taking trio: Trio) -> Int {
    setCount(through: trio.first) &+ setCount(through: trio.second) &+ setCount(through: trio.third) &- 2
  }
}

/// The Sets among some cards, found one after the other.
public struct Trios: Sequence, IteratorProtocol, Sendable {
  /// The cards after `first`.
  @usableFromInline var rest: CardSet
  @usableFromInline var first = Card(index: 0)
  /// The cards that make a Set with `first` and another card of `rest`, and have not been seen.
  @usableFromInline var pairs = CardSet()

  @inlinable
  init(_ cards: CardSet) { rest = cards }

  @inlinable
  public mutating func next() -> Trio? {
    while true {
      if let second = pairs.popFirst() {
        let third = first.third(with: second)
        pairs.remove(third)
        return Trio(sorted: first, second, third)
      }
      guard let card = rest.popFirst() else { return nil }
      first = card
      pairs = rest.intersection(rest.reflected(about: card))
    }
  }
}
