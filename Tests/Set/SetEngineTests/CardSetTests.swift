import SetEngine
import TestSupport
import Testing

/// The set of 81 bits compared with Swift's set of numbers.
@Suite struct CardSetTests {
  @Test func followsTheModel() {
    var random = TestRandom(state: 1)
    var (cards, model) = (CardSet(), Set<Int>())
    for _ in 0..<20_000 {
      let card = allCards.randomElement(using: &random)!
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        cards.insert(card)
        model.insert(card.index)
      case 2:
        cards.remove(card)
        model.remove(card.index)
      case 3 where model.count > 70 || card.index == 0:
        #expect(cards.popFirst()?.index == model.min())
        if let least = model.min() { model.remove(least) }
      case 4 where card.index < 3:
        let other = CardSet.random(30, using: &random)
        let numbers = Set(other.map(\.index))
        #expect(Set(cards.union(other).map(\.index)) == model.union(numbers))
        #expect(Set(cards.intersection(other).map(\.index)) == model.intersection(numbers))
        #expect(Set(cards.subtracting(other).map(\.index)) == model.subtracting(numbers))
        #expect(cards.isDisjoint(with: other) == model.isDisjoint(with: numbers))
        #expect(cards.isSubset(of: other) == model.isSubset(of: numbers))
        #expect(cards.intersection(other).isSubset(of: other) && cards.subtracting(other).isDisjoint(with: other))
      default: break
      }
      #expect(cards.count == model.count && cards.isEmpty == model.isEmpty)
      #expect(cards.contains(card) == model.contains(card.index) && cards.first?.index == model.min())
    }
    #expect(cards.map(\.index) == model.sorted() && cards == CardSet(model.map { Card(index: $0) }))
  }

  @Test func ranks() {
    var random = TestRandom(state: 2)
    for count in 0...81 {
      for _ in 0..<20 {
        let cards = CardSet.random(count, using: &random)
        #expect((0..<count).map { cards.card(ofRank: $0) } == Array(cards))
      }
    }
  }

  @Test func literalsAndDecks() {
    for count in 0...81 { #expect(CardSet(firstCards: count).map(\.index) == Array(0..<count)) }
    #expect(CardSet.all == CardSet(firstCards: 81) && CardSet.all.count == 81 && CardSet().isEmpty)
    #expect([Card(index: 53), Card(index: 54)] == CardSet([Card(index: 54), Card(index: 53)]))
    var empty = CardSet()
    #expect(empty.popFirst() == nil && empty.first == nil)
  }

  /// Every card is equally likely, by chi-square; each draw takes one random number.
  @Test(arguments: [1, 2, 12, 54, 55, 69, 81]) func randomCards(_ count: Int) {
    var random = TestRandom(state: UInt64(count))
    let cards = CardSet.random(count, using: &random)
    var counts: [Card: Int] = [:]
    for _ in 0..<50_000 {
      var left = cards
      let card = left.removeRandom(using: &random)
      counts[card, default: 0] += 1
      if left.contains(card) || left.count != count - 1 { Issue.record("\(card) was not taken out") }
    }
    let test = ChiSquare(
      observed: cards.map { counts[$0] ?? 0 }, probabilities: Array(repeating: 1 / Double(count), count: count))
    #expect(test.isPlausible, "\(test)")
    #expect(CardSet(counts.keys) == cards)
  }
}
