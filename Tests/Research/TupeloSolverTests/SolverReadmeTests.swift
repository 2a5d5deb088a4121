import Testing
import TupeloEngine
import TupeloSolver

/// An evaluator whose values are all zero, so that only rewards count.
private struct Zero: Evaluator {
  func value(of afterstate: Afterstate) -> Float { 0 }
}

/// The lines of this module's README.
@Suite struct SolverReadmeTests {
  @Test func example() throws {
    let evaluator = Zero()
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 3))
    let solver = try BoardSolver(rules: rules, threads: 2)
    let solution = solver.solve()
    print(solution.startValue, solution.positionCount)
    let board = try Board(hex: "210100", shape: rules.shape)
    for move in solution.analyze(board) ?? [] {
      print(move.move, move.reward, move.value)
    }
    let policy = solver.value(ofGreedyPolicyOf: evaluator)
    print(policy.expectedScore, policy.regret(to: solution).percent)
    #expect(abs(solution.startValue - 480.258272) < 5.1e-7 && solution.positionCount == 21_752)
    #expect(policy.regret(to: solution).percent > 0)
    #expect(solution.analyze(board)?.isEmpty == false)
  }
}
