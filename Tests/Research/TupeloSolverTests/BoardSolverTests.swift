import TestSupport
import Testing
import TupeloEngine
import TupeloSolver

@Suite struct BoardSolverTests {
  private static func rules(_ rows: Int, _ columns: Int, four: Double = 0.1, start: Int = 2) throws -> Rules {
    try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: four, startTiles: start)
  }

  /// Published values to six decimals, and published numbers of positions up to symmetry.
  @Test(
    .slow,
    arguments: [
      (2, 2, 66.964149, 67.696264, 110), (2, 3, 480.258272, 480.985581, 21_752), (3, 2, 480.258272, 480.985581, 21_752),
      (2, 4, 2641.873036, 2642.600311, 4_980_767),
    ] as [(Int, Int, Double, Double, Int)]) func published(
      _ rows: Int, _ columns: Int, _ start: Double, _ fromTwos: Double, _ positions: Int
    ) throws
  {
    let solution = try BoardSolver(rules: try Self.rules(rows, columns), threads: 2).solve()
    #expect(abs(solution.startValue - start) < 5.1e-7)
    #expect(abs((solution.startValueFromTwos ?? .nan) - fromTwos) < 5.1e-7)
    #expect(solution.positionCount == positions)
  }

  /// Other probabilities and starts, compared with a recursion over matrices that remembers the positions that it
  /// visits.
  @Test(arguments: [0, 0.1, 0.5, 1], [1, 2, 3, 5]) func otherRules(_ four: Double, _ start: Int) throws {
    for (rows, columns) in [(2, 2), (2, 3)] where start < rows * columns {
      let rules = try Self.rules(rows, columns, four: four, start: start)
      let reference = ExactSolver(rules: rules)
      let solution = try BoardSolver(rules: rules).solve()
      #expect(abs(solution.startValue - reference.startValue) < 1e-9)
      #expect(solution.positionCount == reference.positions)
      if four < 1 {
        #expect(abs((solution.startValueFromTwos ?? .nan) - reference.startValueFromTwos) < 1e-9)
      } else {
        #expect(solution.startValueFromTwos == nil)
      }
    }
  }

  /// Every position of random games: its value, the values of its moves, and the best of them.
  @Test(arguments: [(2, 2), (2, 3), (3, 2)]) func valuesOfPositions(_ rows: Int, _ columns: Int) throws {
    let rules = try Self.rules(rows, columns, four: 0.3)
    let shape = rules.shape
    let reference = ExactSolver(rules: rules)
    let solution = try BoardSolver(rules: rules, threads: 2).solve()
    var random = RandomStream(seed: 3)
    for number in 0..<60 as Range<UInt64> {
      var game = Game(rules: rules, seed: 8, number: number)
      while true {
        let board = game.board
        #expect(abs((solution.value(of: board) ?? .nan) - reference.value(of: board)) < 1e-9)
        let values = try #require(solution.analyze(board))
        #expect(values.map(\.move) == board.legalMoves(in: shape).moves)
        for value in values {
          let outcome = try #require(board.afterstate(of: value.move, in: shape))
          #expect(value.reward == outcome.reward)
          #expect(abs(value.value - (reference.value(of: value.move, on: board) ?? .nan)) < 1e-9)
          let after = reference.value(of: outcome.afterstate)
          #expect(abs((solution.expectation(of: outcome.afterstate) ?? .nan) - after) < 1e-9)
          #expect(solution.value(of: outcome.afterstate) == Float(solution.expectation(of: outcome.afterstate) ?? .nan))
        }
        guard let best = solution.move(on: board) else { break }
        #expect(abs((reference.value(of: best, on: board) ?? .nan) - reference.value(of: board)) < 1e-9)
        game.play(values[random.next(below: values.count)].move)
      }
      #expect(game.isOver && solution.value(of: game.board) == 0)
    }
  }

  @Test func whatNoGameReachesHasNoValue() throws {
    let solution = try BoardSolver(rules: try Self.rules(2, 2)).solve()
    // The boards are an empty one, one tile, two of the largest tiles, a tile that is too large, and a cell outside the
    // shape.
    for bits in [0, 0x1, 0x5_0005, 0x6, 0x100_0001] as [UInt64] {
      #expect(solution.value(of: Board(bits: bits)) == nil)
      #expect(solution.analyze(Board(bits: bits)) == nil)
      #expect(solution.move(on: Board(bits: bits)) == nil)
    }
    #expect(solution.expectation(of: .empty) == nil)
    #expect((solution.value(of: Afterstate(bits: 0x6)) as Float).isNaN)
    // A full board is not an afterstate.
    #expect(solution.expectation(of: Afterstate(bits: 0x12_0021)) == nil)
  }

  @Test func threadsDoNotMatter() throws {
    let rules = try Self.rules(3, 2)
    let solutions = try [1, 2, 5].map { try BoardSolver(rules: rules, threads: $0).solve() }
    var game = Game(rules: rules, seed: 1)
    while let move = solutions[0].move(on: game.board) {
      #expect(Set(solutions.map { $0.value(of: game.board) }).count == 1)
      game.play(move)
    }
    #expect(Set(solutions.map(\.startValue)).count == 1)
  }

  @Test func progressCountsUp() throws {
    var seen: [SolverProgress] = []
    let solution = try BoardSolver(rules: try Self.rules(2, 2)).solve { seen.append($0) }
    for phase in [SolverProgress.Phase.enumerating, .valuing] {
      let counts = seen.filter { $0.phase == phase }.map(\.positions)
      #expect(counts == counts.sorted() && counts.last == solution.positionCount)
    }
  }

  @Test(
    arguments: [
      (3, 4, "a 3x4 board has about 1.2e12 positions, which need 19 TB of memory"),
      (4, 3, "a 4x3 board has about 1.2e12 positions, which need 19 TB of memory"),
      (4, 4, "a 4x4 board has about 1.5e19 positions, which need 2.4e8 TB of memory"),
    ] as [(Int, Int, String)]) func refusesLargeBoards(_ rows: Int, _ columns: Int, _ text: String) throws
  {
    let rules = try Self.rules(rows, columns)
    let error = #expect(throws: SolverError.self) { try BoardSolver(rules: rules) }
    #expect(error?.description == text + ": solve 3x3, 2x4, 4x2 or a smaller board")
  }
}
