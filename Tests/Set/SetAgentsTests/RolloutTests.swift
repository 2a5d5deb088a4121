import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloEngine

/// Rollouts whose limit can be computed, and rollouts in whole games.
@Suite struct RolloutTests {
  /// Positions with six cards more than the table: 20 deals after each choice.
  private static let positions = Array(
    RandomSetPositions.with(unseen: 6, count: 40, seed: 11).filter { $0.table.setCount > 1 }.prefix(2))

  /// The mean of the rollouts tends to the expected Sets of the policy, exact with an empty deck.
  @Test(arguments: [RolloutPlayer.Policy.random, .counting]) func tendToThePolicysValue(
    _ policy: RolloutPlayer.Policy
  ) throws {
    #expect(Self.positions.count == 2)
    var agent = RolloutPlayer(HeuristicSetEvaluator(), policy: policy, settings: .count(3000))
    for position in Self.positions {
      let (table, deck) = (Array(position.table), Array(position.unseen))
      for candidate in agent.analyze(position).candidates {
        let left = table.filter { !candidate.trio.list.contains($0) }
        let expected =
          1
          + Reference.value(table: left, deck: deck, tableSize: 12) { table, deck, sets in
            if deck.isEmpty { return Double(CardSet(table).mostSets) }
            switch policy {
            case .random: return sets.reduce(0) { $0 + $1.value() } / Double(sets.count)
            default:
              let chosen = Reference.mostSetsLeft(table, among: table + deck)
              return sets.first { $0.set == chosen }?.value() ?? 0
            }
          }
        // A game varies by less than 1 Set: five standard errors are 0.09.
        #expect(abs(candidate.value - expected) < 0.09, "\(policy) \(candidate) \(expected)")
        #expect(candidate.rollouts == 3000)
      }
    }
  }

  /// The fast playouts of the heuristic play as the heuristic does when it is asked like any other evaluator.
  @Test func fastPlayoutsAgreeWithTheEvaluator() throws {
    let heuristic = HeuristicSetEvaluator()
    let asked = StubSetEvaluator { heuristic.value(of: $0) }
    var (equal, compared) = (0, 0)
    for settings in [RolloutSettings.count(5), RolloutSettings(count: 5, prior: 10, depth: 3)] {
      for cards in [0, 3] {
        var fast = RolloutPlayer(heuristic, settings: settings, endgame: Endgame(cards: cards), seed: 9)
        var slow = RolloutPlayer(asked, settings: settings, endgame: Endgame(cards: cards), seed: 9)
        for position in RandomSetPositions.games(3, seed: 12) {
          let (one, two) = (fast.analyze(position), slow.analyze(position))
          compared += one.candidates.count
          equal += zip(one.candidates, two.candidates).count { $0 == $1 }
        }
      }
    }
    // They differ where two values are equal as `Float`.
    #expect(compared > 400 && equal * 100 >= compared * 97, "\(equal) of \(compared)")
  }

  /// At the depth limit, the evaluator's value is added: with a constant, every choice is worth its depth and the
  /// constant.
  @Test func depthEndsARollout() throws {
    let constant = StubSetEvaluator { _ in 2.5 }
    let position = try #require(RandomSetPositions.games(1, seed: 13).first { $0.table.setCount > 1 })
    for depth in 1...4 {
      var agent = RolloutPlayer(constant, settings: RolloutSettings(count: 4, depth: depth))
      #expect(agent.analyze(position).candidates.allSatisfy { $0.value == 1 + Double(depth) + 2.5 })
    }
    // The prior counts as rollouts with its value.
    var mixed = RolloutPlayer(constant, settings: RolloutSettings(count: 4, prior: 4, depth: 1))
    #expect(mixed.analyze(position).candidates.allSatisfy { $0.value == 1 + 2.5 + 0.5 })
  }

  /// Choices that are clearly worse get fewer rollouts, and the best choice is the one that all rollouts find.
  @Test func eliminationKeepsTheBest() throws {
    var (all, some) = (
      RolloutPlayer(HeuristicSetEvaluator(), settings: .count(400)),
      RolloutPlayer(HeuristicSetEvaluator(), settings: RolloutSettings(count: 400, eliminates: true), seed: 1)
    )
    var (dropped, clear) = (0, 0)
    for position in RandomSetPositions.games(4, seed: 14) where (3...30).contains(position.unseen.count) {
      let (full, part) = (all.analyze(position), some.analyze(position))
      guard full.candidates.count > 1 else { continue }
      let most = part.candidates.map(\.rollouts).max() ?? 0
      #expect(part.candidates[0].rollouts == most && part.candidates.allSatisfy { $0.rollouts % 16 == 0 })
      dropped += part.candidates.count { $0.rollouts < 400 }
      if full.candidates[1].difference < -0.15 {
        #expect(part.best?.trio == full.best?.trio)
        clear += 1
      }
      for candidate in part.candidates {
        let other = try #require(full[candidate.trio])
        // A choice that was dropped after 16 decks has a value within three standard errors of at most 0.25.
        #expect(abs(candidate.difference - other.difference) < 0.8)
      }
    }
    #expect(dropped > 20 && clear >= 10, "\(dropped) \(clear)")
  }

  /// The choice is the best of the analysis, for equal random numbers.
  @Test func choosesTheBestOfItsAnalysis() {
    for settings in [RolloutSettings.count(3), RolloutSettings(count: 40, prior: 20, eliminates: true)] {
      var one = RolloutPlayer(HeuristicSetEvaluator(), settings: settings)
      var two = one
      for (number, position) in RandomSetPositions.games(1, seed: 15).enumerated() {
        one.beginGame(seed: 1, number: UInt64(number))
        two.beginGame(seed: 1, number: UInt64(number))
        #expect(one.choice(in: position) == two.analyze(position).best?.trio)
      }
    }
  }

  /// With a limit on time, the player uses at least one deck, and chooses a Set on the table.
  @Test func timeMayBeShort() throws {
    let settings = RolloutSettings(time: .nanoseconds(1), prior: 5, eliminates: true)
    var agent = RolloutPlayer(HeuristicSetEvaluator(), settings: settings)
    for position in RandomSetPositions.games(1, seed: 16) where !position.unseen.isEmpty {
      #expect(agent.analyze(position).candidates.allSatisfy { $0.rollouts == 1 })
      let choice = agent.choice(in: position)
      let trio = try #require(choice)
      #expect(position.afterstate(of: trio) != nil)
    }
  }

  /// On equal decks, more thought takes more Sets: the mean difference per game is 3 standard errors above 0.
  @Test(
    .slow,
    arguments: [
      ("counting", "rollouts(count: 5, policy: counting)", 300), ("counting", "greedy", 800),
      ("greedy", "search(count: 5)", 500),
    ])
  func thoughtPays(_ less: String, _ more: String, _ count: Int) throws {
    var (one, two) = (
      try SetAgentSpecification(text: less).makeAgent(), try SetAgentSpecification(text: more).makeAgent()
    )
    let games = SetGames(seed: 5)
    let differences = (0..<count).map { game in
      Double(games.play(game: game, by: &two).sets - games.play(game: game, by: &one).sets)
    }
    let mean = differences.reduce(0, +) / Double(count)
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = (squares / Double(count * (count - 1))).squareRoot()
    #expect(mean > 3 * error, "\(mean) +- \(error)")
  }
}
