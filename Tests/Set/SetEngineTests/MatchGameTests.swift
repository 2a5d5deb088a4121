import SetEngine
import TestSupport
import Testing

/// A card that has a rule for matches and nothing else: three numbers match when they add up to 30.
private struct Thirty: Matchable, Equatable {
  let number: Int

  static func match(_ one: Thirty, _ two: Thirty, _ three: Thirty) -> Bool {
    one.number + two.number + three.number == 30
  }
}

@Suite struct MatchGameTests {
  /// The rules ask `match` alone, so any cards will do.
  @Test func otherCards() throws {
    let numbers = [1, 2, 3, 27, 5, 6, 25, 7, 9, 10, 11]
    var game = MatchGame(deck: numbers.map(Thirty.init), tableSize: 4)
    #expect(game.table.map(\.number) == [1, 2, 3, 27] && game.deckCount == 7)
    #expect(game.matches == [MatchPlaces(0, 1, 3)!] && game.hint == MatchPlaces(3, 0, 1))
    // These places are not a match, or not on the table.
    let refused = [MatchPlaces(0, 1, 2)!, MatchPlaces(1, 2, 4)!, MatchPlaces(-1, 1, 3)!].filter { game.take($0) != nil }
    let dealt = game.dealMore()
    #expect(refused.isEmpty && dealt == nil && game.score == 0 && game.deckCount == 7)
    // The dealt cards lie in the places of the taken ones.
    let first = game.take(MatchPlaces(3, 1, 0)!)
    let turn = try #require(first)
    #expect(turn.taken.map { [$0.0.number, $0.1.number, $0.2.number] } == [1, 2, 27])
    #expect(turn.dealt.map(\.number) == [5, 6, 25] && game.table.map(\.number) == [5, 6, 3, 25])
    #expect(game.score == 1 && game.isStuck && !game.isOver && game.hint == nil && game.matches.isEmpty)
    let second = game.dealMore()
    let more = try #require(second)
    #expect(more.taken == nil && more.dealt.map(\.number) == [7, 9, 10])
    #expect(game.table.map(\.number) == [5, 6, 3, 25, 7, 9, 10])
    #expect(game.hint == nil && game.deckCount == 1 && game.isStuck)
    let third = game.dealMore()
    #expect(third?.dealt.map(\.number) == [11])
    // The table has more than four cards: the gaps close, and nothing is dealt.
    #expect(game.matches == [MatchPlaces(5, 6, 7)!] && !game.isStuck)
    let last = game.take(MatchPlaces(5, 6, 7)!)
    #expect(last?.dealt.isEmpty == true && game.table.map(\.number) == [5, 6, 3, 25, 7])
    #expect(game.isOver && !game.isStuck)
  }

  @Test func placesAreThreeInOrder() {
    #expect(MatchPlaces(1, 1, 2) == nil && MatchPlaces(1, 2, 1) == nil && MatchPlaces(2, 1, 1) == nil)
    for order in [(1, 5, 9), (1, 9, 5), (5, 1, 9), (5, 9, 1), (9, 1, 5), (9, 5, 1)] {
      let places = MatchPlaces(order.0, order.1, order.2)
      #expect(places?.first == 1 && places?.second == 5 && places?.third == 9)
    }
  }

  /// The game by place and the two sets of bits play the same game from the same random numbers, for every variant.
  @Test func playsAsDealModelDoes() throws {
    for features in 1...4 {
      for tableSize in [3, 9, 12] {
        let rules = try SetRules(features: features, tableSize: tableSize)
        for seed in 0..<30 as Range<UInt64> {
          var (shuffle, random, choices) = (TestRandom(state: seed), TestRandom(state: seed), TestRandom(state: ~seed))
          var game = SetGame(rules: rules, using: &shuffle)
          var position = DealModel(rules).position(after: SetAfterstate(startOf: rules), using: &random)
          var taken = 0
          while true {
            #expect((game.position == nil) == game.isStuck)
            while game.dealMore() != nil {}
            #expect(game.position == position && game.isOver == position.isOver && game.score == taken)
            if let hint = game.hint { #expect(game.sets.contains { game.places(of: $0) == hint }) }
            #expect(game.matches.count == position.table.setCount)
            guard let trio = position.sets.shuffled(using: &choices).first else { break }
            let turn = game.take(trio)
            let cards = try #require(turn?.taken)
            #expect(CardSet([cards.0, cards.1, cards.2]) == trio.cards)
            position = DealModel(rules).position(after: try #require(position.afterstate(of: trio)), using: &random)
            taken += 1
          }
          let refused = game.take(Trio(completing: Card(index: 0), Card(index: 1))!)
          #expect(refused == nil && game.score == taken)
        }
      }
    }
  }
}
