import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloEngine

/// Whole games compared with published figures and independent programs.
///
/// Warne: H. Warne, "10 million Set games", 2011, a player who takes a random Set. The other figures come from 20,000
/// games each of two programs that share no code with this one.
@Suite struct GamesTests {
  /// Checks that the mean lies within 3.5 standard errors of a mean over a known number of games.
  private func expectMean(_ played: SetStatistics, _ expected: Double, _ publishedGames: Double) {
    let error = (played.varianceOfSets * (1 / Double(played.games) + 1 / publishedGames)).squareRoot()
    #expect(abs(played.meanSets - expected) < 3.5 * error, "\(played.meanSets) Sets, expected \(expected)")
  }

  private func expectShare(
    _ count: Int, _ played: SetStatistics, _ expected: Double, _ publishedGames: Double, _ what: Comment
  ) {
    let share = Double(count) / Double(played.games)
    let error = (expected * (1 - expected) * (1 / Double(played.games) + 1 / publishedGames)).squareRoot()
    #expect(abs(share - expected) < 3.5 * error, "\(what) \(share), expected \(expected)")
  }

  @Test func randomPlayerAsPublished() throws {
    let played = try play("random(exact: never)", games: 0..<6000, seed: 1)
    expectMean(played, 24.425, 20_000)
    expectShare(played.perfectGames, played, 0.0121973, 1e7, "perfect games")
    expectShare(played.gamesWithoutMore, played, 0.3141851, 1e7, "never 15 cards")
    // The standard deviation is 1.67 rounds.
    let rounds = Double(played.rounds) / Double(played.games)
    #expect(abs(rounds - 25.9703553) < 3.5 * 1.67 / 6000.0.squareRoot(), "\(rounds) rounds")
    // The shares come from MathOverflow 66400, over 10,000 games.
    for (left, share) in [0: 0.0119, 6: 0.4454, 9: 0.4592, 12: 0.0824, 15: 0.0011] {
      expectShare(played.gamesByCardsLeft[left] ?? 0, played, share, 10_000, "\(left) cards left")
    }
    // All 81 cards add up to zero, so three cards left over would be a Set.
    #expect(Set(played.gamesByCardsLeft.keys).isSubset(of: [0, 6, 9, 12, 15, 18]))
  }

  @Test(arguments: [("random", 24.503, 0.0165), ("most-left", 24.636, 0.0293), ("counting", 25.174, 0.1345)])
  func playersAsInOtherPrograms(_ text: String, _ sets: Double, _ perfect: Double) throws {
    let played = try play(text, games: 0..<4000, seed: 2)
    expectMean(played, sets, 20_000)
    expectShare(played.perfectGames, played, perfect, 20_000, "perfect games")
  }

  /// 20 rollouts of card counting took 25.740 Sets and left nothing in 39.3% of 400 games of another program.
  @Test(.slow) func rolloutsAsInOtherPrograms() throws {
    let played = try play("rollouts(count: 20, policy: counting)", games: 0..<60, seed: 3)
    expectMean(played, 25.740, 400)
    expectShare(played.perfectGames, played, 0.393, 400, "perfect games")
  }

  /// A game by place on the same shuffled deck has the same result, step by step.
  @Test func gamesAreThoseOfTheRules() throws {
    var agent = EndgamePlayer(CountingPlayer())
    var dealtMore = 0
    for features in 1...4 {
      for tableSize in [3, 12] {
        let rules = try SetRules(features: features, tableSize: tableSize)
        for number in 0..<25 {
          let result = SetGames(rules: rules, seed: 8).play(game: number, by: &agent)
          var random = RandomStream(seed: 8, stream: UInt64(number))
          var game = SetGame(rules: rules, using: &random)
          var dealsMore = 0
          agent.beginGame(seed: 8, number: UInt64(number))
          while !game.isOver {
            guard let position = game.position else {
              game.dealMore()
              dealsMore += 1
              continue
            }
            let trio = agent.choice(in: position)
            game.take(try #require(trio))
          }
          #expect(result == SetGameResult(sets: game.score, dealsMore: dealsMore, left: game.tableCards))
          dealtMore += dealsMore
        }
      }
    }
    #expect(dealtMore > 100)
  }

  /// Game k depends on seed and k alone, and not on threads, shards or earlier games.
  @Test(arguments: ["random", "rollouts(count: 2, policy: random)", "search(count: 3)"])
  func gamesDoNotDependOnThreads(_ text: String) throws {
    let all = try play(text, games: 0..<24, seed: 4)
    #expect(try play(text, games: 0..<24, seed: 4, threads: 3) == all)
    var shards = try play(text, games: 17..<24, seed: 4)
    shards.add(try play(text, games: 0..<17, seed: 4, threads: 2))
    #expect(shards == all && all.games == 24)
    #expect(try play(text, games: 24..<48, seed: 4) != all)
    #expect(try play(text, games: 0..<24, seed: 5) != all)
  }

  @Test func statisticsAreSums() throws {
    var (agent, statistics, results) = (RandomSetPlayer(), SetStatistics(), [SetGameResult]())
    for game in 0..<50 { results.append(SetGames(seed: 6).play(game: game, by: &agent)) }
    for result in results { statistics.add(result) }
    let sets = results.map { Double($0.sets) }
    let mean = sets.reduce(0, +) / 50
    #expect(abs(statistics.meanSets - mean) < 1e-12)
    let variance = sets.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 49
    #expect(abs(statistics.varianceOfSets - variance) < 1e-9)
    #expect(abs(statistics.standardError - (variance / 50).squareRoot()) < 1e-9)
    #expect(statistics.rounds == results.reduce(0) { $0 + $1.sets + $1.dealsMore })
    #expect(statistics.gamesWithoutMore == results.count { $0.dealsMore == 0 })
    #expect(statistics.perfectGames == results.count { $0.left.isEmpty })
    #expect(statistics.gamesByCardsLeft.reduce(0) { $0 + $1.value } == 50)
    #expect(statistics.gamesByCardsLeft[9] == results.count { $0.left.count == 9 })
    #expect(statistics.squaredSets == results.reduce(0) { $0 + $1.sets * $1.sets })
    #expect(results.allSatisfy { 3 * $0.sets + $0.left.count == 81 })
  }
}
