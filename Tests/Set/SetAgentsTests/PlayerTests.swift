import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloEngine

/// The players that look one choice ahead, compared with slow references.
@Suite struct PlayerTests {
  private static let positions = Array(RandomSetPositions.games(3, seed: 1))

  @Test func countingAgreesWithAllTriples() {
    var (counting, mostLeft) = (CountingPlayer(), MostLeftPlayer())
    for position in Self.positions {
      let (table, cards) = (Array(position.table), Array(position.table.union(position.unseen)))
      #expect(counting.choice(in: position)?.list == Reference.mostSetsLeft(table, among: cards))
      #expect(mostLeft.choice(in: position)?.list == Reference.mostSetsLeft(table, among: table))
    }
    #expect(Self.positions.count > 60)
  }

  /// The docstring's closed form: t cards taken that hold s Sets leave 1080 - 40 t + t (t - 1) / 2 - s.
  @Test func setsLeftFollowFromTheCardsTaken() {
    for position in Self.positions {
      let left = position.table.union(position.unseen)
      let taken = CardSet.all.subtracting(left)
      let t = taken.count
      #expect(left.setCount == 1080 - 40 * t + t * (t - 1) / 2 - taken.setCount)
      let fewest = position.sets.map { taken.union($0.cards).setCount }.min()
      var counting = CountingPlayer()
      #expect(counting.choice(in: position).map { taken.union($0.cards).setCount } == fewest)
    }
  }

  @Test func randomChoicesAreUniform() throws {
    let position = try #require(Self.positions.first { $0.table.setCount >= 4 })
    let trios = Array(position.sets)
    var (player, counts) = (RandomSetPlayer(seed: 4), [Trio: Int]())
    for _ in 0..<20_000 {
      if let trio = player.choice(in: position) { counts[trio, default: 0] += 1 }
    }
    let test = ChiSquare(
      observed: trios.map { counts[$0] ?? 0 },
      probabilities: Array(repeating: 1 / Double(trios.count), count: trios.count))
    #expect(test.isPlausible && counts.count == trios.count, "\(test)")
  }

  /// With equal scores, the first Set in the order of the cards is taken.
  @Test func tiesGoToTheFirstSet() throws {
    // The table is the whole deck of nine cards, which looks the same from each of its twelve Sets.
    let position = SetPosition(uncheckedTable: CardSet(firstCards: 9), unseen: CardSet())
    let first = try #require(position.table.hint)
    for text in [
      "most-left", "counting", "greedy", "most-left(exact: never)", "counting(exact: never)",
      "rollouts(count: 3, exact: never)", "search(count: 3, exact: never)",
    ] {
      var agent = try SetAgentSpecification(text: text).makeAgent()
      #expect(agent.choice(in: position) == first, "\(text)")
      if let analysis = agent.analyze(position) {
        #expect(analysis.candidates.map(\.trio) == Array(position.sets) && analysis.best?.value == 3, "\(text)")
      }
    }
  }

  /// Every agent plays its game to the end, and stops only there.
  @Test(arguments: ["random", "most-left", "counting", "greedy", "rollouts(count: 1)", "search(count: 1)"])
  func nothingIsLeftToChoose(_ text: String) throws {
    for text in [
      text, text.dropLast(text.hasSuffix(")") ? 1 : 0) + (text.hasSuffix(")") ? ", " : "(") + "exact: never)",
    ] {
      var agent = try SetAgentSpecification(text: String(text)).makeAgent()
      let over = SetPosition(uncheckedTable: [Card(index: 0), Card(index: 1), Card(index: 3)], unseen: CardSet())
      #expect(agent.choice(in: over) == nil && over.isOver)
      #expect(agent.analyze(over)?.candidates.isEmpty ?? true)
      for position in Self.positions.prefix(25) {
        let choice = agent.choice(in: position)
        let trio = try #require(choice)
        #expect(position.afterstate(of: trio) != nil)
        guard let analysis = agent.analyze(position) else { continue }
        #expect(Set(analysis.candidates.map(\.trio)) == Set(position.sets))
        #expect(zip(analysis.candidates, analysis.candidates.dropFirst()).allSatisfy { $0.value >= $1.value })
        #expect(analysis.candidates.allSatisfy { abs($0.value + -$0.difference - analysis.candidates[0].value) < 1e-9 })
        #expect(analysis[trio]?.trio == trio)
      }
    }
  }
}
