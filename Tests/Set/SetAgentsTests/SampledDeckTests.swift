import SetAgents
import SetEngine
import TestSupport
import Testing

/// The order in which rollouts deal the unseen cards.
@Suite struct SampledDeckTests {
  /// Every order of four cards is equally likely, by chi-square.
  @Test func ordersAreUniform() {
    let cards: CardSet = [Card(index: 3), Card(index: 20), Card(index: 55), Card(index: 80)]
    var (deck, random, counts) = (SampledDeck(), TestRandom(state: 3), [[Card]: Int]())
    deck.fill(cards)
    for _ in 0..<24_000 {
      deck.shuffle(using: &random)
      counts[deck.cards, default: 0] += 1
    }
    let test = ChiSquare(observed: Array(counts.values), probabilities: Array(repeating: 1 / 24, count: 24))
    #expect(counts.count == 24 && test.isPlausible, "\(test)")
    #expect(counts.keys.allSatisfy { CardSet($0) == cards })
  }

  /// Cards are dealt in the order of the deck, in the numbers that the rules require.
  @Test func dealsByTheRules() throws {
    var (deck, random, dealt) = (SampledDeck(), TestRandom(state: 4), 0)
    for position in RandomSetPositions.games(5, seed: 31) {
      deck.fill(position.unseen)
      deck.shuffle(using: &random)
      let trio = try #require(position.table.hint)
      var table = Array(position.table).filter { !trio.list.contains($0) }
      var rest = deck.cards[...]
      while !rest.isEmpty, table.count < 12 || Reference.sets(table).isEmpty {
        table += rest.prefix(3)
        rest = rest.dropFirst(3)
        dealt += 1
      }
      let next = deck.position(after: try #require(position.afterstate(of: trio)), by: DealModel())
      #expect(next == SetPosition(uncheckedTable: CardSet(table), unseen: CardSet(rest)))
    }
    #expect(dealt > 100)
  }
}
