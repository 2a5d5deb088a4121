import SetEngine
import TestSupport
import Testing

/// Sets among cards, compared with all triples and with exact numbers.
@Suite struct SetFindingTests {
  @Test func agreesWithAllTriples() {
    var random = TestRandom(state: 3)
    for count in Array(0...30) + [54, 69, 81] {
      for _ in 0..<(count > 30 ? 1 : 10) {
        let cards = CardSet.random(count, using: &random)
        let expected = Reference.sets(Array(cards))
        let found = Array(cards.sets)
        #expect(found.map { Array($0.cards) } == expected)
        #expect(cards.setCount == expected.count && cards.hasSet == !expected.isEmpty)
        #expect(cards.hint == found.first)
        #expect(found.indices.allSatisfy { cards.set(ofRank: $0) == found[$0] })
        #expect(Array(cards).matches.count == expected.count)
        #expect((Array(cards).firstMatch == nil) == expected.isEmpty)
        for card in allCards where count <= 15 && card.index % 10 == count % 10 {
          let through = Reference.sets(Array(cards.union([card]))).count { $0.contains(card) }
          #expect(cards.setCount(through: card) == through)
        }
        for trio in found.prefix(3) {
          let left = cards.subtracting(trio.cards)
          #expect(cards.setsLost(taking: trio) == cards.setCount - left.setCount)
          #expect(cards.setsLost(taking: trio) == expected.count { $0.contains(where: trio.cards.contains) })
        }
      }
    }
  }

  @Test func reflectionsAreThirdCards() {
    var random = TestRandom(state: 4)
    for card in allCards {
      let cards = CardSet.random(Int.random(in: 0...81, using: &random), using: &random)
      let reflected = cards.reflected(about: card)
      #expect(reflected == CardSet(cards.map { $0.third(with: card) }))
      #expect(reflected.reflected(about: card) == cards)
    }
  }

  /// The whole deck has 1,080 Sets, 40 through each card. Decks with fewer features have 3^f (3^f - 1) / 6.
  @Test func countsOfWholeDecks() throws {
    #expect(
      CardSet.all.setCount == 1080 && Array(CardSet.all.sets).count == 1080 && Set(CardSet.all.sets).count == 1080)
    #expect(allCards.allSatisfy { CardSet.all.setCount(through: $0) == 40 })
    #expect(try (1...4).map { try SetRules(features: $0).deck.setCount } == [1, 12, 117, 1080])
    // 3 * 40 - 2 Sets hold one of the three cards of a Set or more.
    #expect(CardSet.all.sets.allSatisfy { CardSet.all.setsLost(taking: $0) == 118 })
  }

  /// The number of choices of cards without a Set. For 5 cards: C(81, 5) - 1080 * C(78, 2) + 81 * C(40, 2), where the
  /// last term counts the pairs of Sets with a common card.
  @Test(.slow) func choicesWithoutASet() {
    func count(_ cards: CardSet, above last: Int, left: Int) -> Int {
      guard left > 0 else { return 1 }
      return (last + 1..<81).reduce(0) { sum, index in
        let card = Card(index: index)
        return cards.setCount(through: card) > 0
          ? sum : sum + (left == 1 ? 1 : count(cards.union([card]), above: index, left: left - 1))
      }
    }
    // A card makes no Set with the cards before it when none of their pairs has it as third card.
    #expect(count(CardSet(), above: -1, left: 3) == 85_320 - 1080)
    #expect(count(CardSet(), above: -1, left: 4) == 1_663_740 - 1080 * 78)
    #expect(count(CardSet(), above: -1, left: 5) == 25_621_596 - 1080 * 3003 + 81 * 780)
  }

  /// The largest sets of cards without a Set have 2, 4 and 9 cards in 1, 2 and 3 features, by trying all.
  @Test func largestWithoutASetInFewFeatures() {
    for (features, most) in [(1, 2), (2, 4), (3, 9)] {
      let size = [3, 9, 27][features - 1]
      var best = 0
      func extend(_ cards: CardSet, _ allowed: CardSet, _ count: Int) {
        best = max(best, count)
        var left = allowed
        while count + left.count > best, let card = left.popFirst() {
          // The third card of the new card and an old one may not be added any more.
          extend(cards.union([card]), left.subtracting(cards.reflected(about: card)), count + 1)
        }
      }
      extend(CardSet(), CardSet(firstCards: size), 0)
      #expect(best == most)
    }
  }

  /// In four features there are 20 cards without a Set: ten pairs whose third card is the same, which is not among
  /// them. No other card can be added.
  @Test(.slow) func twentyCardsWithoutASet() throws {
    let centre = Card(index: 0)
    let pairs = CardSet.all.sets.filter { $0.first == centre }.map { CardSet([$0.second, $0.third]) }
    #expect(pairs.count == 40)
    func extend(_ cards: CardSet, from start: Int, left: Int) -> CardSet? {
      if left == 0 { return cards }
      for index in pairs.indices[start...] {
        let more = cards.union(pairs[index])
        if more.hasSet { continue }
        if let found = extend(more, from: index + 1, left: left - 1) { return found }
      }
      return nil
    }
    let cards = try #require(extend(CardSet(), from: 0, left: 10))
    #expect(cards.count == 20 && Reference.sets(Array(cards)).isEmpty)
    #expect(CardSet.all.subtracting(cards).allSatisfy { cards.union([$0]).hasSet })
    // Eleven such pairs would have 22 cards.
    #expect(extend(CardSet(), from: 0, left: 11) == nil)
    // Cards are added in random order until none fits: there are never more than 20.
    var random = TestRandom(state: 5)
    for _ in 0..<2000 {
      var (cards, left) = (CardSet(), CardSet.all)
      while !left.isEmpty {
        let card = left.removeRandom(using: &random)
        left.subtract(cards.reflected(about: card))
        cards.insert(card)
      }
      #expect(cards.count <= 20 && !cards.hasSet)
    }
  }

  /// Among 12 random cards there are 220/79 Sets on average, and none with the probability that Knuth's count gives.
  @Test(.slow) func twelveRandomCards() {
    var random = TestRandom(state: 6)
    let hands = 1_000_000
    var (none, sets, squares) = (0, 0, 0)
    for _ in 0..<hands {
      var (cards, left) = (CardSet(), CardSet.all)
      for _ in 0..<12 { cards.insert(left.removeRandom(using: &random)) }
      let count = cards.setCount
      if count == 0 { none += 1 }
      sets += count
      squares += count * count
    }
    let probability = 2_284_535_476_080.0 / 70_724_320_184_700
    expect(none, of: hands, probability)
    let mean = Double(sets) / Double(hands)
    let error = ((Double(squares) / Double(hands) - mean * mean) / Double(hands)).squareRoot()
    #expect(abs(mean - 220.0 / 79) < 3.5 * error, "mean \(mean)")
  }
}

/// Checks that a count of independent trials lies within 3.5 standard errors of the probability, and of the error of a
/// published number of trials.
func expect(
  _ count: Int, of trials: Int, _ probability: Double, publishedTrials: Double = .infinity,
  _ what: Comment = "", sourceLocation: SourceLocation = #_sourceLocation
) {
  let found = Double(count) / Double(trials)
  let error = (probability * (1 - probability) * (1 / Double(trials) + 1 / publishedTrials)).squareRoot()
  #expect(
    abs(found - probability) < 3.5 * error, "\(what) \(found), expected \(probability)", sourceLocation: sourceLocation)
}
