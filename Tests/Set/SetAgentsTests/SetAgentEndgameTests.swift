import SetAgents
import SetEngine
import TestSupport
import Testing

/// Best play near the end, compared with a search over lists of cards.
@Suite struct SetAgentEndgameTests {
  @Test(arguments: [(0, 40), (3, 40), (6, 10)]) func agreesWithTheSlowSearch(_ unseen: Int, _ count: Int) throws {
    let endgame = Endgame(cards: unseen)
    let positions = RandomSetPositions.with(unseen: unseen, count: count, seed: 7)
    #expect(positions.count == count)
    for position in positions {
      let (table, deck) = (Array(position.table), Array(position.unseen))
      let expected = Reference.value(table: table, deck: deck, tableSize: 12, Reference.bestPlay)
      #expect(abs(endgame.value(of: position) - expected) < 1e-9)
      let analysis = endgame.analyze(position)
      #expect(analysis.isExact && analysis.best.map { abs($0.value - expected) < 1e-9 } == true)
      #expect(
        analysis.best?.trio == endgame.choice(in: position) && analysis.candidates.count == position.table.setCount)
      for candidate in analysis.candidates {
        let left = table.filter { !candidate.trio.list.contains($0) }
        let value = 1 + Reference.value(table: left, deck: deck, tableSize: 12, Reference.bestPlay)
        #expect(abs(candidate.value - value) < 1e-9)
      }
      #expect(endgame.includes(unseen: position.unseen))
    }
  }

  /// With nine cards every play takes all three Sets, whatever the size of the table.
  @Test(arguments: [3, 6, 9, 12]) func nineCardsAreForced(_ tableSize: Int) throws {
    let rules = try SetRules(features: 2, tableSize: tableSize)
    #expect(Endgame(cards: 9, rules: rules).value(of: SetAfterstate(startOf: rules)) == 3)
    for text in [
      "random(exact: never)", "most-left", "counting(exact: never)", "greedy", "rollouts(count: 2, policy: random)",
      "search(count: 2)", "counting(exact: 9)",
    ] {
      let statistics = try play(text, games: 0..<20, rules: rules, seed: 1)
      #expect(statistics.sets == 60 && statistics.gamesByCardsLeft == [0: 20], "\(text)")
    }
  }

  /// On equal decks exact play takes the base player's choices until the deck is empty, so it never takes fewer Sets.
  @Test func exactPlayIsNeverWorse() {
    let (games, playing) = (SetGames(seed: 3), 1000)
    var (plain, exact, better) = (RandomSetPlayer(), EndgamePlayer(RandomSetPlayer()), 0)
    for game in 0..<playing {
      let (one, two) = (games.play(game: game, by: &plain), games.play(game: game, by: &exact))
      #expect(two.sets >= one.sets)
      better += two.sets > one.sets ? 1 : 0
    }
    #expect(better > 10)
  }
}

/// Plays games with an agent that is written as text.
func play(
  _ text: String, games: Range<Int>, rules: SetRules = .standard, seed: UInt64, threads: Int = 1
) throws -> SetStatistics {
  let specification = try SetAgentSpecification(text: text)
  return SetGames(rules: rules, seed: seed).play(games, threads: threads) {
    specification.makeAgent(model: HeuristicSetEvaluator(rules: rules), rules: rules)
  }
}
