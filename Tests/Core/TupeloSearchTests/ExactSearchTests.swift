import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

/// Searches that reach the end of the game, compared with the exact values of 2x3.
@Suite struct ExactSearchTests {
  private struct Nothing: Evaluator {
    func value(of afterstate: Afterstate) -> Float { 0 }
  }

  /// The largest number of moves that can still be played, but at most `limit`.
  private static func movesLeft(_ board: ReferenceBoard, limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    return board.legalMoves.reduce(0) { longest, move in
      guard longest < limit, let after = board.moved(move)?.board else { return longest }
      return after.spawns(fourProbability: 0.1).reduce(longest) {
        $0 == limit ? limit : max($0, 1 + movesLeft($1.board, limit: limit - 1))
      }
    }
  }

  @Test func fullDepthIsExact() throws {
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 3))
    let solver = ExactSolver(rules: rules)
    var random = RandomPositions(seed: 21, shape: rules.shape)
    var depths: [Int: Int] = [:]
    for _ in 0..<1500 where depths.values.reduce(0, +) < 60 {
      // The boards are crowded with tiles that rarely merge.
      let exponents = (0..<6).map { _ in random.number(below: 5) == 0 ? 0 : 1 + random.number(below: 7) }
      let board = try Board(exponents: exponents, shape: rules.shape)
      let plies = Self.movesLeft(ReferenceBoard(board, shape: rules.shape), limit: 7)
      guard plies > 0, plies < 7, depths[plies, default: 0] < 15 else { continue }
      depths[plies, default: 0] += 1
      for threads in [1, 2] {
        var search = Expectimax(Nothing(), limits: .plies(plies), rules: rules, threads: threads)
        let analysis = search.analyze(board)
        for move in Move.allCases {
          let exact = solver.value(of: move, on: board)
          #expect((analysis[move] == nil) == (exact == nil))
          if let exact { #expect(abs((analysis[move]?.value ?? .nan) - exact) < 1e-3 + exact * 1e-5) }
        }
      }
    }
    #expect(depths.keys.contains(3) && depths.values.reduce(0, +) >= 20, "\(depths)")
  }

  /// With exact values at the leaves every depth is exact.
  @Test func exactLeavesMakeEveryDepthExact() throws {
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 2))
    let solver = ExactSolver(rules: rules)
    // The set gets every board that a game can reach.
    var boards: Set<Board> = []
    var values: [Afterstate: Float] = [:]
    var open = (0..<2000).map { Game(rules: rules, seed: 2, number: $0).board }
    while let board = open.popLast() {
      guard boards.insert(board).inserted else { continue }
      for after in Move.allCases.compactMap({ board.afterstate(of: $0, in: rules.shape)?.afterstate }) {
        values[after] = Float(solver.value(of: after))
        open += ChanceModel(rules).outcomes(of: after).map { after.board(after: $0) }
      }
    }
    #expect(boards.count > 500)
    let known = KnownValues(values: values)
    for plies in 1...3 {
      var search = Expectimax(known, plies: plies, rules: rules)
      for board in boards {
        for candidate in search.analyze(board).candidates {
          let exact = try #require(solver.value(of: candidate.move, on: board))
          #expect(abs(candidate.value - exact) < 1e-3 + exact * 1e-5)
        }
      }
    }
  }

  /// The value is infinite where it is unknown, so that a search that asks for it is noticed.
  private struct KnownValues: Evaluator {
    let values: [Afterstate: Float]
    func value(of afterstate: Afterstate) -> Float { values[afterstate] ?? .infinity }
  }
}
