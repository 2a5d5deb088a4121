internal import SetEngine

/// The number of Sets of each card, updated while Sets are taken.
struct PartnerCounts {
  /// The counts by index of the card. They have no meaning for cards that are not among `cards`.
  private var counts = [UInt8](repeating: 0, count: Card.count)
  /// The cards whose Sets are counted.
  private(set) var cards = CardSet()

  /// Counts the Sets of some cards from the start.
  mutating func count(_ cards: CardSet) {
    self.cards = cards
    for card in cards { counts[card.index] = UInt8(cards.setCount(through: card)) }
  }

  /// Copies other counts, without an allocation.
  mutating func copy(_ other: PartnerCounts) {
    cards = other.cards
    for index in counts.indices { counts[index] = other.counts[index] }
  }

  /// The cards that lose Sets when the cards of `trio` leave: by how many Sets they lose.
  struct Loss {
    let one: CardSet
    let two: CardSet
    let three: CardSet

    /// - Parameter cards: all cards, including the cards of `trio`
    @inline(__always)
    init(of trio: Trio, among cards: CardSet) {
      let left = cards.subtracting(trio.cards)
      // The cards that each card of the trio makes Sets with. No other Set has two cards of the trio.
      let first = left.intersection(left.reflected(about: trio.first))
      let second = left.intersection(left.reflected(about: trio.second))
      let third = left.intersection(left.reflected(about: trio.third))
      let firstAndSecond = first.intersection(second)
      three = firstAndSecond.intersection(third)
      let twoOrMore = firstAndSecond.union(first.union(second).intersection(third))
      two = twoOrMore.subtracting(three)
      one = first.union(second).union(third).subtracting(twoOrMore)
    }
  }

  /// The sum of the weights of the cards left once the cards of `trio` have gone, minus a number that is equal for all
  /// choices of a position.
  @inline(__always)
  func weight(without trio: Trio, _ loss: Loss, count: Int, by weights: PartnerWeights) -> Int32 {
    var sum: Int32 = 0
    sum &-= weights[cards: count, sets: sets(of: trio.first)]
    sum &-= weights[cards: count, sets: sets(of: trio.second)]
    sum &-= weights[cards: count, sets: sets(of: trio.third)]
    for card in loss.one { sum &+= growth(of: card, losing: 1, count, weights) }
    for card in loss.two { sum &+= growth(of: card, losing: 2, count, weights) }
    for card in loss.three { sum &+= growth(of: card, losing: 3, count, weights) }
    return sum
  }

  @inline(__always)
  private func growth(of card: Card, losing lost: Int, _ count: Int, _ weights: PartnerWeights) -> Int32 {
    let sets = sets(of: card)
    return weights[cards: count, sets: sets &- lost] &- weights[cards: count, sets: sets]
  }

  @inline(__always)
  private func sets(of card: Card) -> Int { Int(counts[card.index]) }

  /// Removes the cards of `trio`.
  @inline(__always)
  mutating func remove(_ trio: Trio, _ loss: Loss) {
    cards.subtract(trio.cards)
    for card in loss.one { counts[card.index] &-= 1 }
    for card in loss.two { counts[card.index] &-= 2 }
    for card in loss.three { counts[card.index] &-= 3 }
  }
}
