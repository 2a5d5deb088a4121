import SetEngine
import SetPlayers
import SetSolver
import Testing
import TupeloEngine

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() throws {
    var random = RandomStream(seed: 1)
    let evaluator = HeuristicSetEvaluator(rules: try SetRules(features: 3, tableSize: 6))
    let solver = try SetSolver(rules: SetRules(features: 3, tableSize: 6))
    let solution = solver.solve()
    print(solution.startValue.sets, solution.startValue.perfect, solution.positionCount)
    let position = DealModel(solution.rules).position(after: SetAfterstate(startOf: solution.rules), using: &random)
    for choice in solution.choiceValues(in: position) ?? [] {
      print(choice.trio, choice.value.sets, choice.value.perfect)
    }
    let policy = solution.value(ofGreedyPolicyOf: evaluator)
    print(policy.value.sets, policy.regret.sets, policy.mistakes)
    #expect(policy.regret.sets > 0.001 && policy.mistakes > 0.001)
    #expect(solution.choiceValues(in: position)?.count == position.table.setCount)
  }
}
