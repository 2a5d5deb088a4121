import SetEngine
import TestSupport
import Testing

/// Whole games compared with published figures and with independent programs.
///
/// Warne: H. Warne, "10 million Set games", 2011, a player who takes a random Set. The other players were simulated by
/// two programs that share no code with this one.
@Suite struct PublishedTests {
  /// The totals over many games of one player.
  private struct Played {
    var games = 0
    var sets = 0
    var squares = 0
    /// Games by the number of cards left over.
    var left = Array(repeating: 0, count: 82)
    /// Deals of three more cards to a table without a Set.
    var dealsMore = 0
    var never15 = 0
    /// Tables of 12 cards, those without a Set, and the Sets on them, by the number of cards in the deck.
    var tables = Array(repeating: 0, count: 82)
    var without = Array(repeating: 0, count: 82)
    var setsOn = Array(repeating: 0, count: 82)

    init(
      games: Int, rules: SetRules = .standard, seed: UInt64, choose: (SetPosition, inout TestRandom) -> Trio
    ) {
      let deals = DealModel(rules)
      var random = TestRandom(state: seed)
      self.games = games
      for _ in 0..<games {
        var (afterstate, taken, dealtMore) = (SetAfterstate(startOf: rules), 0, 0)
        while true {
          count(afterstate)
          while case let deal = deals.sample(of: afterstate, using: &random), !deal.isEmpty {
            if afterstate.table.count >= rules.tableSize { dealtMore += 1 }
            let isStart = afterstate.table.count < rules.tableSize
            afterstate = afterstate.dealing(deal)
            if isStart { count(afterstate) }
          }
          guard let position = deals.position(settled: afterstate), !position.isOver else { break }
          afterstate = position.afterstate(of: choose(position, &random))!
          taken += 1
        }
        sets += taken
        squares += taken * taken
        dealsMore += dealtMore
        never15 += dealtMore == 0 ? 1 : 0
        left[afterstate.table.count] += 1
      }
    }

    private mutating func count(_ afterstate: SetAfterstate) {
      guard afterstate.table.count == 12 else { return }
      let (deck, sets) = (afterstate.unseen.count, afterstate.table.setCount)
      tables[deck] += 1
      without[deck] += sets == 0 ? 1 : 0
      setsOn[deck] += sets
    }

    var meanSets: Double { Double(sets) / Double(games) }
    /// The variance of the Sets of one game.
    var variance: Double { Double(squares) / Double(games) - meanSets * meanSets }

    /// Checks that the mean lies within 3.5 standard errors of a mean over 20,000 games.
    func expectMean(_ expected: Double, sourceLocation: SourceLocation = #_sourceLocation) {
      let error = (variance * (1 / Double(games) + 1 / 20_000)).squareRoot()
      #expect(
        abs(meanSets - expected) < 3.5 * error, "\(meanSets) Sets, expected \(expected)",
        sourceLocation: sourceLocation)
    }
  }

  private static func random(_ position: SetPosition, _ random: inout TestRandom) -> Trio {
    position.table.set(ofRank: Int.random(in: 0..<position.table.setCount, using: &random))
  }

  /// Chooses one of the Sets with the highest score, each with equal probability.
  private static func best(
    _ position: SetPosition, _ random: inout TestRandom, score: (Trio) -> Int
  ) -> Trio {
    var (best, chosen, ties) = (Int.min, position.table.hint, 0)
    for trio in position.sets {
      let value = score(trio)
      if value > best { (best, ties) = (value, 0) }
      guard value == best else { continue }
      ties += 1
      if Int.random(in: 0..<ties, using: &random) == 0 { chosen = trio }
    }
    return chosen!
  }

  @Test(.slow) func randomPlayerAsPublished() {
    let played = Played(games: 200_000, seed: 1) { Self.random($0, &$1) }
    expect(played.left[0], of: 200_000, 0.0121973, publishedTrials: 1e7, "perfect games")
    expect(played.never15, of: 200_000, 0.3141851, publishedTrials: 1e7, "never 15 cards")
    // Warne counts a round for each Set taken and for each time that three more cards are dealt.
    let rounds = Double(played.sets + played.dealsMore) / 200_000
    // A standard deviation of 1.67 rounds gives a standard error of 0.0037.
    #expect(abs(rounds - 25.9703553) < 3.5 * 0.0037, "\(rounds) rounds")
    played.expectMean(24.425)
    // Warne's games without a Set among 12 cards, and those with one, by cards in the deck.
    let published: [(deck: Int, without: Double, with: Double)] = [
      (69, 323_746, 9_676_254), (66, 527_296, 9_468_978), (63, 619_607, 9_374_512), (60, 655_619, 9_337_376),
      (57, 667_384, 9_325_431), (30, 693_439, 9_298_495), (3, 699_845, 9_291_959), (0, 736_580, 9_255_777),
    ]
    for (deck, without, with) in published {
      expect(
        played.without[deck], of: played.tables[deck], without / (without + with), publishedTrials: without + with,
        "no Set among 12 with \(deck) cards in the deck")
    }
    for (deck, sets): (Int, Double) in [(69, 220.0 / 79), (66, 2.53), (63, 2.44), (60, 2.40), (30, 2.36), (0, 2.36)] {
      let mean = Double(played.setsOn[deck]) / Double(played.tables[deck])
      // The figures have two decimals; a standard deviation of 1.5 Sets gives a standard error of 0.0034.
      let tolerance: Double = 0.005 + 3.5 * 0.0034
      #expect(abs(mean - sets) < tolerance, "\(mean) Sets with \(deck) cards in the deck")
    }
    // All 81 cards add up to zero, so three cards left over would be a Set.
    let counts: [Int] = played.left.indices.filter { played.left[$0] > 0 }
    #expect(Set(counts).isSubset(of: [0, 6, 9, 12, 15, 18]))
  }

  @Test(.slow) func exactOnceTheDeckIsEmpty() {
    let played = Played(games: 40_000, seed: 2) { $0.unseen.isEmpty ? $0.table.bestSet! : Self.random($0, &$1) }
    played.expectMean(24.503)
    expect(played.left[0], of: 40_000, 0.0165, publishedTrials: 20_000, "perfect games")
  }

  @Test(.slow) func keepsOtherSetsOnTheTable() {
    let played = Played(games: 40_000, seed: 3) { position, random in
      if position.unseen.isEmpty { return position.table.bestSet! }
      return Self.best(position, &random) { -position.table.setsLost(taking: $0) }
    }
    played.expectMean(24.636)
    expect(played.left[0], of: 40_000, 0.0293, publishedTrials: 20_000, "perfect games")
  }

  @Test(.slow) func countsCards() {
    let played = Played(games: 40_000, seed: 4) { position, random in
      if position.unseen.isEmpty { return position.table.bestSet! }
      let cards = position.table.union(position.unseen)
      return Self.best(position, &random) { -cards.setsLost(taking: $0) }
    }
    played.expectMean(25.174)
    expect(played.left[0], of: 40_000, 0.1345, publishedTrials: 20_000, "perfect games")
  }

  /// With 3 cards and with 9 cards all cards are taken, whatever the player does.
  @Test func smallDecksAreForced() throws {
    for (features, tableSize) in [(1, 3), (1, 12), (2, 9), (2, 12)] {
      let rules = try SetRules(features: features, tableSize: tableSize)
      let played = Played(games: 500, rules: rules, seed: 5) { Self.random($0, &$1) }
      #expect(played.left[0] == 500 && played.sets == 500 * rules.cardCount / 3)
    }
    // Nine cards are tried in every order of choices, and not only in random ones.
    func orders(_ table: CardSet, taken: Int) -> Int {
      guard table.hasSet else {
        #expect(table.isEmpty && taken == 3)
        return 1
      }
      return table.sets.reduce(0) { $0 + orders(table.subtracting($1.cards), taken: taken + 1) }
    }
    #expect(orders(CardSet(firstCards: 9), taken: 0) == 24)
  }
}
