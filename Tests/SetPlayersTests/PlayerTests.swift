import SetEngine
import SetPlayers
import TestSupport
import Testing
import TupeloEngine

/// The players that look one choice ahead, against slow references.
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

  /// Equal scores: the first Set in the order of the cards.
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

  /// Every agent ends its game, and only then.
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

/// A value function that is no good, and one that stands for another.
struct StubSetEvaluator: SetEvaluator {
  let body: @Sendable (SetAfterstate) -> Float

  func value(of afterstate: SetAfterstate) -> Float { body(afterstate) }
}

@Suite struct GreedyTests {
  /// The highest value is taken; the value of a choice has the Set itself.
  @Test func takesTheHighestValue() throws {
    let lowest = StubSetEvaluator { -Float($0.table.first?.index ?? 0) }
    var agent = GreedySetPlayer(lowest)
    for position in RandomSetPositions.games(2, seed: 2) {
      let values = position.sets.map { 1 - Float(position.table.subtracting($0.cards).first?.index ?? 0) }
      let analysis = agent.analyze(position)
      let best = try #require(values.max())
      #expect(analysis.best?.value == Double(best) && !analysis.isExact)
      #expect(agent.choice(in: position) == Array(position.sets)[try #require(values.firstIndex(of: best))])
      #expect(agent.choice(in: position) == analysis.best?.trio)
    }
  }

  /// A broken model loses games, but it does not end them.
  @Test func noNumberIsNoEnd() throws {
    let broken = StubSetEvaluator { _ in .nan }
    let position = try #require(RandomSetPositions.games(1, seed: 3).first { $0.table.setCount > 1 })
    var (greedy, search) = (
      GreedySetPlayer(broken), RolloutPlayer(broken, settings: RolloutSettings(count: 2, prior: 1))
    )
    #expect(greedy.choice(in: position) == position.table.hint)
    #expect(search.choice(in: position) == position.table.hint)
    #expect(search.analyze(position).candidates.count == position.table.setCount)
  }

  /// The heuristic in decimal fractions, from its description.
  @Test func heuristicIsAsDescribed() {
    let evaluator = HeuristicSetEvaluator()
    var values: [Int: [(sum: Double, value: Double)]] = [:]
    for position in RandomSetPositions.games(3, seed: 5) where position.unseen.count <= 45 {
      for trio in position.sets {
        guard let after = position.afterstate(of: trio) else { continue }
        let cards = Array(after.table.union(after.unseen))
        if after.unseen.isEmpty {
          #expect(evaluator.value(of: after) == Float(after.table.mostSets))
          continue
        }
        let mean = Double((cards.count - 1) * (cards.count - 2)) / 158
        let all = Reference.sets(cards)
        let sum = cards.reduce(0.0) { sum, card in
          sum + exponential(-6 * Double(all.count { $0.contains(card) }) / mean)
        }
        values[cards.count, default: []].append((sum, Double(evaluator.value(of: after))))
      }
    }
    // For equally many cards, the values fall in a line as the sums rise.
    var compared = 0
    for (count, values) in values where count >= 15 && count <= 60 {
      let low = values.min { $0.sum < $1.sum }!, high = values.max { $0.sum < $1.sum }!
      guard high.sum - low.sum > 1e-3, high.value > 0.1, low.value < Double(count / 3) else { continue }
      let slope = (high.value - low.value) / (high.sum - low.sum)
      #expect(slope < -0.3 && slope > -3.3, "\(count) \(slope)")
      for other in values {
        #expect(abs(other.value - low.value - slope * (other.sum - low.sum)) < 0.02, "\(count) \(other)")
        compared += 1
      }
    }
    #expect(compared > 50)
  }

  /// e^x by its series, for x from -60 to 0.
  private func exponential(_ x: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for k in 1..<400 {
      term *= -x / Double(k)
      sum += term
    }
    return 1 / sum
  }
}
