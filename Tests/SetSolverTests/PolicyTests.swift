import SetEngine
import SetPlayers
import SetSolver
import Testing
import TupeloEngine

@Suite struct PolicyTests {
  /// Whether the games agree with exact values: four standard errors.
  private func expect(_ games: SetStatistics, near sets: ClosedRange<Double>, perfect: Double? = nil) {
    let margin = 4 * games.standardError
    #expect(sets.lowerBound - margin < games.meanSets && games.meanSets < sets.upperBound + margin)
    guard let perfect else { return }
    let error = (perfect * (1 - perfect) / Double(games.games)).squareRoot()
    #expect(abs(games.perfectShare - perfect) <= 4 * error)
  }

  /// Random play, by games: the exact numbers of Sets, of perfect games and of cards left.
  @Test(arguments: [6, 12]) func random(tableSize: Int) {
    let solver = Solved.solver(tableSize)
    let exact = solver.solve().value { Array($0.sets) }
    let games = SetGames(rules: solver.rules, seed: 5).play(0..<100_000, threads: 2) { RandomSetPlayer() }
    expect(games, near: exact.value.sets...exact.value.sets, perfect: exact.value.perfect)
    #expect(abs(exact.cardsLeft.reduce(0, +) - 1) < 1e-12)
    for (left, chance) in exact.cardsLeft.enumerated() {
      let share = Double(games.gamesByCardsLeft[3 * left, default: 0]) / 100_000
      #expect(abs(share - chance) <= 4 * (chance * (1 - chance) / 100_000).squareRoot() + 1e-12)
    }
    let left = exact.cardsLeft.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    #expect(abs(exact.value.sets + left - 9) < 1e-12)
  }

  /// Best play, by games and by the flow of its probabilities.
  @Test func best() {
    let solution = Solved.sets6
    let games = SetGames(rules: solution.rules, seed: 6).play(0..<5000, threads: 2) { BestPlayer(solution: solution) }
    let value = solution.startValue
    expect(games, near: value.sets...value.sets, perfect: value.perfect)
    let exact = solution.value { position in solution.bestChoice(in: position).map { [$0] } ?? [] }
    #expect(abs(exact.regret.sets) < 1e-12 && abs(exact.regret.perfect) < 1e-12)
    #expect(exact.mistakes == 0 && exact.ties == 0 && exact.unequalChoices > 1)
    let greedy = solution.value(ofGreedyPolicyOf: solution)
    #expect(abs(greedy.regret.sets) < 1e-6)
  }

  /// Each objective is best at what it maximises.
  @Test func objectives() {
    let solver = Solved.solver(6)
    let (sets, perfect) = (Solved.sets6, solver.solve(for: .perfectGame))
    #expect(sets.startValue.sets > perfect.startValue.sets + 1e-6)
    #expect(perfect.startValue.perfect > sets.startValue.perfect + 1e-6)
    let policy = sets.value { position in perfect.bestChoice(in: position).map { [$0] } ?? [] }
    #expect(abs(policy.value.sets - perfect.startValue.sets) < 1e-12)
    #expect(abs(policy.value.perfect - perfect.startValue.perfect) < 1e-12)
    #expect(policy.regret.sets > 0 && policy.regret.perfect < 0 && policy.mistakes > 0)
  }

  /// Among plays with equally many perfect games, the one with most Sets is found. With nine cards on the table, best
  /// play for Sets also makes most games perfect.
  @Test func secondObjective() {
    let solver = Solved.solver(9)
    let (sets, perfect) = (solver.solve().startValue, solver.solve(for: .perfectGame).startValue)
    #expect(abs(sets.perfect - perfect.perfect) < 1e-12 && abs(sets.sets - perfect.sets) < 1e-12)
  }

  /// A player that takes the first of equals lies between the bounds, by games.
  @Test func ties() {
    let solution = Solved.sets6
    let evaluator = HeuristicSetEvaluator(rules: solution.rules)
    let exact = solution.value(ofGreedyPolicyOf: evaluator)
    let games = SetGames(rules: solution.rules, seed: 7).play(0..<50_000, threads: 2) { GreedySetPlayer(evaluator) }
    expect(games, near: exact.setsByTies)
    #expect(exact.setsByTies.contains(exact.value.sets) && exact.ties > 0.001)
    #expect(exact.regret.sets > 0 && exact.mistakes > exact.ties / 3)
    #expect(exact.positionCount > 1000 && exact.positionCount <= solution.positionCount)
    #expect(abs(exact.lossPerChoice * exact.value.sets - exact.regret.sets) < 1e-12)
  }

  /// The bounds on random play: best play, and the worst.
  @Test func bounds() {
    let solution = Solved.sets6
    let random = solution.value { Array($0.sets) }
    #expect(abs(random.setsByTies.upperBound - solution.startValue.sets) < 1e-12)
    #expect(random.setsByTies.lowerBound < random.value.sets)
    #expect(random.ties == random.unequalChoices && random.positionCount == solution.positionCount)
  }
}

/// Takes the best Set of a solution.
private struct BestPlayer: SetAgent {
  let solution: SetSolution

  mutating func choice(in position: SetPosition) -> Trio? { solution.bestChoice(in: position) }
}
