import TestSupport
import Testing
import TupeloEngine

/// Published exact values of small boards.
@Suite struct ExactValueTests {
  @Test(arguments: [(2, 2, 66.964149, 67.696264, 110), (2, 3, 480.258272, 480.985581, 21_752)])
  func smallBoards(_ rows: Int, _ columns: Int, _ start: Double, _ fromTwos: Double, _ states: Int) throws {
    let solver = ExactSolver(rules: try Rules(shape: BoardShape(rows: rows, columns: columns)))
    #expect(abs(solver.startValue - start) < 1e-6)
    #expect(abs(solver.startValueFromTwos - fromTwos) < 1e-6)
    #expect(solver.positions <= states)
  }
}
