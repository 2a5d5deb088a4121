import SetEngine
import TestSupport
import Testing

/// The exact search for the most Sets once the deck is empty.
@Suite struct EndgameTests {
  @Test func agreesWithEverySubset() {
    var random = TestRandom(state: 7)
    for count in 0...18 {
      for _ in 0..<20 {
        let cards = CardSet.random(count, using: &random)
        expectBestPlay(of: cards, most: Reference.mostSets(Array(cards)))
      }
    }
  }

  /// Whole planes of nine cards, which three Sets cover, and cards that Sets of several planes share.
  @Test func crowdedTables() throws {
    let plane = CardSet(firstCards: 9)
    expectBestPlay(of: plane, most: 3)
    expectBestPlay(of: CardSet(firstCards: 8), most: 2)
    expectBestPlay(of: CardSet(firstCards: 15), most: 5)
    expectBestPlay(of: CardSet(firstCards: 21), most: 7)
    var random = TestRandom(state: 8)
    for _ in 0..<30 {
      let cards = plane.union(CardSet.random(5, using: &random))
      expectBestPlay(of: cards, most: Reference.mostSets(Array(cards)))
    }
  }

  /// The best series is as long as promised.
  private func expectBestPlay(of cards: CardSet, most: Int) {
    #expect(cards.mostSets == most)
    var (left, taken) = (cards, 0)
    while let trio = left.bestSet {
      #expect(trio.cards.isSubset(of: left))
      left.subtract(trio.cards)
      taken += 1
    }
    #expect(taken == most && (cards.bestSet == nil) == !cards.hasSet)
  }
}
