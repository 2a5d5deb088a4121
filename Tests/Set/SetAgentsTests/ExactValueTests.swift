import SetAgents
import SetEngine
import TestSupport
import Testing

/// Players compared with exact values, for decks of 27 cards. The figures are those of `tupelo solve --game set` of
/// version 0.1.0.
@Suite struct ExactValueTests {
  private static let six = solver(tableSize: 6)
  private static let twelve = solver(tableSize: 12)

  private static func solver(tableSize: Int) -> ExactSetSolver {
    do {
      return ExactSetSolver(try SetRules(features: 3, tableSize: tableSize))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Checks that the mean of games agrees with exact bounds, within four standard errors.
  private func expect(_ games: SetStatistics, near sets: ClosedRange<Double>) {
    let margin = 4 * games.standardError
    #expect(sets.lowerBound - margin < games.meanSets && games.meanSets < sets.upperBound + margin)
  }

  /// Random play has the exact numbers of Sets and of cards left.
  @Test(.slow, arguments: [(6, 8.464521, 7.697201), (12, 9, 7.638444)])
  func randomPlay(_ tableSize: Int, _ best: Double, _ sets: Double) {
    let solver = tableSize == 6 ? Self.six : Self.twelve
    let exact = solver.value { Array($0.sets) }
    #expect(abs(solver.bestSets - best) < 1e-6 && abs(exact.sets - sets) < 1e-6)
    let games = SetGames(rules: solver.rules, seed: 5).play(0..<100_000, threads: 2) { RandomSetPlayer() }
    expect(games, near: exact.sets...exact.sets)
    for (left, chance) in exact.cardsLeft.enumerated() {
      let share = Double(games.gamesByCardsLeft[3 * left, default: 0]) / 100_000
      let deviation: Double = (chance * (1 - chance) / 100_000).squareRoot()
      #expect(abs(share - chance) <= 4 * deviation + 1e-12)
    }
    let sum: Double = exact.cardsLeft.reduce(0, +)
    #expect(abs(sum - 1) < 1e-12)
  }

  /// Players that choose by a rule, with 6 cards on the table. They take the first of equals by the order of the cards,
  /// so their games lie between the bounds of all ways to choose among equals.
  @Test(arguments: [
    ("most-left", 0, 7.769693), ("counting", 0, 8.051653), ("counting(exact: 6)", 6, 8.214878),
    ("greedy", 0, 8.217734),
  ])
  func playersWithARule(_ text: String, _ exactFrom: Int, _ sets: Double) throws {
    let solver = Self.six
    let heuristic = HeuristicSetEvaluator(rules: solver.rules)
    let exact =
      if text == "greedy" {
        solver.value(ofGreedyPolicyOf: heuristic)
      } else {
        solver.value { position in
          guard position.unseen.count > exactFrom else { return solver.bestSets(in: position) }
          let left = text == "most-left" ? position.table : position.table.union(position.unseen)
          return position.sets(loseFewestAmong: left)
        }
      }
    #expect(abs(exact.sets - sets) < 2e-6 && exact.setsByTies.contains(exact.sets), "\(exact.sets)")
    #expect(exact.setsByTies.upperBound < solver.bestSets - 0.1)
    expect(try play(text, games: 0..<10_000, rules: solver.rules, seed: 7, threads: 2), near: exact.setsByTies)
  }

  /// Exact play near the end, compared with another program with other deals.
  @Test func endgame() throws {
    let solver = Self.six
    let endgame = Endgame(cards: 9, rules: solver.rules)
    let positions = RandomSetPositions.with(unseen: 9, count: 100, rules: solver.rules, seed: 2)
    #expect(positions.count == 100)
    for position in positions {
      let (value, choice) = (try #require(solver.value(of: position)), try #require(endgame.choice(in: position)))
      #expect(abs(value - endgame.value(of: position)) < 1e-9)
      #expect(solver.bestSets(in: position).contains(choice))
    }
  }
}

extension SetPosition {
  /// The Sets on the table that share cards with the fewest Sets among `cards`.
  fileprivate func sets(loseFewestAmong cards: CardSet) -> [Trio] {
    let trios = Array(sets)
    let lost = trios.map { cards.setsLost(taking: $0) }
    return zip(trios, lost).filter { $1 == lost.min() }.map(\.0)
  }
}
