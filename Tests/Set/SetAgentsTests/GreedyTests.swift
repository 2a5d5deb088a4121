import SetAgents
import SetEngine
import Testing

/// A value function from a closure.
struct StubSetEvaluator: SetEvaluator {
  let body: @Sendable (SetAfterstate) -> Float

  func value(of afterstate: SetAfterstate) -> Float { body(afterstate) }
}

@Suite struct GreedyTests {
  /// The choice with the highest value is taken; its value includes the Set itself.
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

  /// The heuristic, computed in decimal fractions from its description.
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
    // For equal numbers of cards, the values fall on a line as the sums rise.
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
