import SetEngine
import SetPlayers
import SetSolver
import Testing
import TupeloEngine

@Suite struct SolutionTests {
  /// One Set is all there is.
  @Test(arguments: [3, 6, 9, 12, 15]) func threeCards(tableSize: Int) throws {
    let solution = try SetSolver(rules: SetRules(features: 1, tableSize: tableSize)).solve()
    #expect(solution.startValue == SetValue(sets: 1, perfect: 1))
  }

  /// Every play of nine cards takes three Sets: after the first one, the others are its parallels. The slow solver says
  /// so of the best and of the worst play.
  @Test(arguments: [3, 6, 9, 12, 15]) func nineCards(tableSize: Int) throws {
    let solution = try SetSolver(rules: SetRules(features: 2, tableSize: tableSize)).solve()
    #expect(abs(solution.startValue.sets - 3) < 1e-12 && abs(solution.startValue.perfect - 1) < 1e-12)
    var best = SlowSolver(tableSize: tableSize) { sets, _ in Double(sets) }
    var worst = SlowSolver(tableSize: tableSize, join: min) { sets, _ in Double(sets) }
    #expect(abs(best.value(table: [], deck: Array(0..<9)) - 3) < 1e-12)
    #expect(abs(worst.value(table: [], deck: Array(0..<9)) - 3) < 1e-12)
    let random = solution.value { Array($0.sets) }
    #expect(abs(random.value.sets - 3) < 1e-12 && abs(random.setsByTies.lowerBound - 3) < 1e-12)
  }

  /// Late positions of 27 cards, for both objectives, against a solver without symmetry.
  @Test(arguments: [6, 9, 12]) func latePositions(tableSize: Int) throws {
    let solver = Solved.solver(tableSize)
    let (sets, perfect) = (solver.solve(), solver.solve(for: .perfectGame))
    var random = RandomStream(seed: UInt64(tableSize))
    var uncertain = 0
    for number in 0..<40 {
      let position = solver.rules.latePosition(unseen: number < 5 ? 9 : 6, using: &random)
      // Late values differ by more than 1e-4, so that a weight of 1e-6 decides between equals alone.
      var slowSets = SlowSolver(tableSize: tableSize) { sets, left in Double(sets) + (left == 0 ? 1e-6 : 0) }
      var slowPerfect = SlowSolver(tableSize: tableSize) { sets, left in (left == 0 ? 1 : 0) + 1e-6 * Double(sets) }
      let (table, deck) = (position.table.indices, position.unseen.indices)
      let best = try #require(sets.value(of: position))
      #expect(abs(best.sets + 1e-6 * best.perfect - slowSets.value(table: table, deck: deck)) < 1e-10)
      let chance = try #require(perfect.value(of: position))
      #expect(abs(chance.perfect + 1e-6 * chance.sets - slowPerfect.value(table: table, deck: deck)) < 1e-10)
      uncertain += best.sets != best.sets.rounded() ? 1 : 0
    }
    // With more cards on the table, nearly all late positions can be played perfectly.
    #expect(tableSize > 6 || uncertain > 3)
  }

  /// The exact play of SetPlayers, another program with other deals.
  @Test func endgame() throws {
    let solution = Solved.sets6
    let endgame = Endgame(cards: 9, rules: solution.rules)
    var random = RandomStream(seed: 2)
    for _ in 0..<100 {
      let position = solution.rules.latePosition(unseen: 9, using: &random)
      let value = try #require(solution.value(of: position))
      #expect(abs(value.sets - endgame.value(of: position)) < 1e-9)
      guard let best = solution.bestChoice(in: position), let after = position.afterstate(of: best) else { continue }
      #expect(abs(1 + endgame.value(of: after) - value.sets) < 1e-9)
    }
  }

  /// What is computed of a position: the best of its choices, and the mean over the deals of `DealModel`.
  @Test func consistency() throws {
    let solution = Solved.sets6
    let deals = DealModel(solution.rules)
    var random = RandomStream(seed: 3)
    let position = deals.position(after: SetAfterstate(startOf: solution.rules), using: &random)
    let choices = try #require(solution.choiceValues(in: position))
    #expect(choices.map(\.trio) == Array(position.sets))
    #expect(choices.map(\.value.sets).max() == solution.value(of: position)?.sets)
    let afterstate = try #require(position.afterstate(of: choices[0].trio))
    var (sum, count) = (0.0, 0)
    for deal in deals.outcomes(of: afterstate) {
      let value: SetValue? = solution.value(of: afterstate.dealing(deal))
      sum += try #require(value).sets
      count += 1
    }
    #expect(count == deals.outcomeCount(of: afterstate) && count > 1)
    #expect(abs(1 + sum / Double(count) - choices[0].value.sets) < 1e-12)
  }

  /// No deck of 27 cards with 12 on the table needs to leave a card over: every position that best play comes to has
  /// the value of a perfect game, so no rare loss hides in the rounding of the mean.
  @Test func twelveOnTable() {
    let solution = Solved.sets12
    #expect(solution.startValue == SetValue(sets: 9, perfect: 1))
    var imperfect = 0
    let best = solution.value { position in
      let left = position.table.union(position.unseen).count / 3
      imperfect += solution.value(of: position) == SetValue(sets: Double(left), perfect: 1) ? 0 : 1
      return solution.bestChoice(in: position).map { [$0] } ?? []
    }
    #expect(imperfect == 0 && best.positionCount > 10_000 && best.cardsLeft[1...].allSatisfy { $0 == 0 })
  }

  @Test func unreachable() throws {
    let solution = Solved.sets6
    // Nine cards taken that are no three Sets.
    let unseen = SetRules.standard.deck.subtracting(CardSet(firstCards: 9))
    #expect(solution.value(of: SetPosition(uncheckedTable: CardSet(firstCards: 9), unseen: unseen)) == nil)
    let table = CardSet([0, 1, 3, 4, 9, 10].map { Card(index: $0) })
    #expect(solution.value(of: SetPosition(uncheckedTable: table, unseen: CardSet())) == nil)
    #expect(solution.choiceValues(in: SetPosition(uncheckedTable: table, unseen: CardSet())) == nil)
  }

  @Test func tooLarge() throws {
    #expect(throws: SetSolverError.tooLarge(.standard)) { try SetSolver(rules: .standard) }
    let text = "\(SetSolverError.tooLarge(.standard))"
    #expect(text.hasPrefix("a deck of 81 cards has more than 10^12 positions") && text.contains("1, 2 or 3 features"))
  }
}
