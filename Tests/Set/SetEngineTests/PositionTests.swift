import SetEngine
import TestSupport
import Testing

/// Positions, afterstates and deals.
@Suite struct PositionTests {
  /// The rules of SET.md and of the source document, checked at every step of random games of every size.
  @Test func gamesFollowTheRules() throws {
    var random = TestRandom(state: 9)
    for features in 1...4 {
      for tableSize in [3, 6, 9, 12, 15] {
        let rules = try SetRules(features: features, tableSize: tableSize)
        let deals = DealModel(rules)
        for _ in 0..<50 {
          var afterstate = SetAfterstate(startOf: rules)
          var taken = 0
          while true {
            let before = afterstate
            while deals.position(settled: afterstate) == nil {
              let deal = deals.sample(of: afterstate, using: &random)
              // The table is filled up to its size, and beyond it only when there is no Set.
              let missing = tableSize - afterstate.table.count
              let size = min(missing > 0 ? missing : 3, afterstate.unseen.count)
              #expect(deal.count == size && size > 0 && deal.count == deals.dealSize(of: afterstate))
              #expect(missing > 0 || Reference.sets(Array(afterstate.table)).isEmpty)
              #expect(deal.isSubset(of: afterstate.unseen))
              afterstate = afterstate.dealing(deal)
            }
            let position = try #require(deals.position(settled: afterstate))
            #expect(deals.sample(of: afterstate, using: &random).isEmpty)
            #expect(before.table.isSubset(of: position.table) && position.unseen.isSubset(of: before.unseen))
            #expect(position.table.union(position.unseen).count + 3 * taken == rules.cardCount)
            #expect(try SetPosition(table: position.table, unseen: position.unseen, rules: rules) == position)
            #expect(position.isOver == Reference.sets(Array(position.table)).isEmpty)
            guard let trio = position.sets.shuffled(using: &random).first else {
              #expect(position.unseen.isEmpty && position.table.count != 3 || features == 1)
              break
            }
            afterstate = try #require(position.afterstate(of: trio))
            #expect(afterstate.table == position.table.subtracting(trio.cards) && afterstate.unseen == position.unseen)
            taken += 1
          }
        }
      }
    }
  }

  @Test func onlySetsOnTheTableAreTaken() throws {
    let table = CardSet(firstCards: 12)
    let position = try SetPosition(table: table, unseen: CardSet.all.subtracting(table))
    for trio in CardSet.all.sets {
      #expect((position.afterstate(of: trio) != nil) == trio.cards.isSubset(of: table))
    }
    #expect(Array(position.sets) == Array(table.sets) && !position.isOver)
  }

  /// Every deal occurs once, in order, and their number follows the formula.
  @Test func dealsAreEnumerated() {
    var random = TestRandom(state: 10)
    for (tableCount, unseenCount) in [(9, 69), (9, 12), (9, 3), (6, 6), (0, 12), (10, 7), (11, 5), (9, 0), (12, 9)] {
      let cards = Array(CardSet.random(tableCount + unseenCount, using: &random)).shuffled(using: &random)
      let (table, unseen) = (CardSet(cards.prefix(tableCount)), CardSet(cards.dropFirst(tableCount)))
      let afterstate = SetAfterstate(table: table, unseen: unseen)
      let deals = DealModel()
      let outcomes = Array(deals.outcomes(of: afterstate))
      let count = choose(unseenCount, deals.dealSize(of: afterstate))
      #expect(outcomes.count == count && Set(outcomes).count == count)
      #expect(outcomes.allSatisfy { $0.count == deals.dealSize(of: afterstate) && $0.isSubset(of: unseen) })
      guard unseenCount <= 12 else { continue }
      let choices = Reference.choices(deals.dealSize(of: afterstate), of: Array(unseen)[...])
      #expect(Set(outcomes) == Set(choices.map { CardSet($0) }))
    }
  }

  /// Drawn deals are equally likely, by chi-square.
  @Test func dealsAreUniform() {
    var random = TestRandom(state: 11)
    let cards = Array(CardSet.random(16, using: &random)).shuffled(using: &random)
    let afterstate = SetAfterstate(table: CardSet(cards.prefix(9)), unseen: CardSet(cards.dropFirst(9)))
    let deals = DealModel()
    var counts: [CardSet: Int] = [:]
    for _ in 0..<50_000 { counts[deals.sample(of: afterstate, using: &random), default: 0] += 1 }
    let outcomes = Array(deals.outcomes(of: afterstate))
    #expect(outcomes.count == 35)
    let test = ChiSquare(
      observed: outcomes.map { counts[$0] ?? 0 }, probabilities: Array(repeating: 1 / 35, count: 35))
    #expect(test.isPlausible && Set(counts.keys) == Set(outcomes), "\(test)")
  }

  /// Equal random numbers deal the cards in the order of the shuffled deck, whatever is taken.
  @Test func decksDoNotDependOnChoices() throws {
    for features in 1...4 {
      let rules = try SetRules(features: features)
      var shuffle = TestRandom(state: 12)
      let deck = rules.shuffledDeck(using: &shuffle)
      #expect(Set(deck).count == rules.cardCount && CardSet(deck) == rules.deck)
      for seed in 0..<20 as Range<UInt64> {
        var (random, choices) = (TestRandom(state: 12), TestRandom(state: seed))
        var afterstate = SetAfterstate(startOf: rules)
        while true {
          let position = DealModel(rules).position(after: afterstate, using: &random)
          #expect(position.unseen == CardSet(deck.suffix(position.unseen.count)))
          guard let trio = position.sets.shuffled(using: &choices).first else { break }
          afterstate = try #require(position.afterstate(of: trio))
        }
      }
    }
  }

  @Test func impossiblePositionsSayWhy() throws {
    func text(_ table: CardSet, _ unseen: CardSet, _ rules: SetRules = .standard) -> String? {
      do {
        _ = try SetPosition(table: table, unseen: unseen, rules: rules)
        return nil
      } catch {
        return error.description
      }
    }
    let (first, all) = (CardSet(firstCards: 12), CardSet.all)
    let rest = all.subtracting(first)
    #expect(text(first, rest) == nil)
    #expect(
      text(first, rest, try SetRules(features: 3))
        == "the card 1rtd (one red striped diamond) is not in a deck of 27 cards: leave it out")
    #expect(
      text(first, rest.union([Card(index: 3)]))
        == "the card 1gsd (one green solid diamond) is both on the table and unseen: give it once")
    #expect(
      text(CardSet(firstCards: 11), rest)
        == "11 cards on the table and 69 unseen: both are multiples of 3 in every game")
    #expect(
      text(first, rest.subtracting(CardSet([12, 13, 15].map { Card(index: $0) })))
        == "the cards taken cannot be Sets, as their number shows: check which cards are on the table and unseen")
    #expect(
      text(CardSet(firstCards: 9), all.subtracting(CardSet(firstCards: 9)))
        == "9 cards on the table and cards in the deck: the table is filled up to 12 first")
    #expect(
      text(CardSet(firstCards: 24), all.subtracting(CardSet(firstCards: 24)))
        == "24 cards on the table: there are never more than 21")
    var random = TestRandom(state: 13)
    var stuck = CardSet.random(12, using: &random)
    while stuck.hasSet { stuck = CardSet.random(12, using: &random) }
    #expect(
      text(stuck, all.subtracting(stuck)) == "no Set on the table and cards in the deck: deal three more first")
  }

  @Test func rulesSayWhatTheyRefuse() throws {
    #expect(try SetRules() == .standard && SetRules.standard.deck == .all)
    for features in [0, 5, -1] {
      #expect(throws: SetRulesError.featuresOutOfRange(features)) { try SetRules(features: features) }
    }
    for size in [0, 2, 10, 18, -3] {
      #expect(throws: SetRulesError.tableSizeOutOfRange(size)) { try SetRules(tableSize: size) }
    }
    #expect(
      SetRulesError.featuresOutOfRange(5).description == "5 features are not supported: give 1 to 4 (4 is standard)")
    #expect(
      SetRulesError.tableSizeOutOfRange(10).description
        == "a table of 10 cards is not supported: give 3, 6, 9, 12 or 15 (12 is standard)")
  }
}

/// The binomial coefficient C(n, k) by Pascal's triangle.
private func choose(_ n: Int, _ k: Int) -> Int {
  var row = [1] + Array(repeating: 0, count: k)
  for _ in 0..<n { row = [1] + zip(row, row.dropFirst()).map { $0 + $1 } }
  return row[k]
}
