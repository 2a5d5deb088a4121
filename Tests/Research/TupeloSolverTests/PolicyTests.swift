import TestSupport
import Testing
import TupeloEngine
import TupeloSearch
import TupeloSolver

/// Arbitrary values that are always the same for a position, with hardly any ties.
private struct RandomEvaluator: Evaluator {
  var seed: UInt64
  /// If there is a shape, symmetric positions have the same value.
  var symmetricIn: BoardShape?

  func value(of afterstate: Afterstate) -> Float {
    let position = symmetricIn.map { afterstate.canonical(in: $0) } ?? afterstate
    var random = RandomStream(seed: position.bits &* 31 &+ seed)
    return Float(random.next(below: 1 << 20)) / 0x1p14
  }
}

private struct ConstantEvaluator: Evaluator {
  var constant: Float
  func value(of afterstate: Afterstate) -> Float { constant }
}

/// A policy's value by recursion over matrices: expected score, moves, and chances of the largest tile by exponent.
private struct ReferenceValue {
  let rules: Rules
  let move: (ReferenceBoard) -> Move?
  var known: [ReferenceBoard: [Double]] = [:]

  init(rules: Rules, move: @escaping (ReferenceBoard) -> Move?) {
    self.rules = rules
    self.move = move
  }

  /// Greedy play as documented, in single precision.
  init(rules: Rules, greedyBy evaluator: some Evaluator) {
    self.init(rules: rules) { board in
      var best: (move: Move, sum: Float)?
      for move in [Move.up, .right, .down, .left] {
        guard let next = board.moved(move) else { continue }
        let sum = Float(next.reward) + evaluator.value(of: next.board.engineAfterstate)
        if best.map({ sum > $0.sum }) ?? true { best = (move, sum) }
      }
      return best?.move
    }
  }

  mutating func start() -> [Double] {
    expectation(ReferenceBoard(shape: rules.shape), tiles: rules.startTiles)
  }

  private mutating func value(_ board: ReferenceBoard) -> [Double] {
    if let value = known[board] { return value }
    var value: [Double]
    if let move = move(board), let next = board.moved(move) {
      value = expectation(next.board, tiles: 1)
      value[0] += Double(next.reward)
      value[1] += 1
    } else {
      value = Array(repeating: 0, count: 2 + rules.shape.cellCount + 2)
      value[2 + (board.tiles.joined().max() ?? 0).trailingZeroBitCount] = 1
    }
    known[board] = value
    return value
  }

  private mutating func expectation(_ board: ReferenceBoard, tiles: Int) -> [Double] {
    guard tiles > 0 else { return value(board) }
    var sum = Array(repeating: 0.0, count: 2 + rules.shape.cellCount + 2)
    for spawn in board.spawns(fourProbability: rules.fourProbability) {
      for (index, part) in expectation(spawn.board, tiles: tiles - 1).enumerated() {
        sum[index] += spawn.probability * part
      }
    }
    return sum
  }
}

@Suite struct PolicyTests {
  private static func rules(_ rows: Int, _ columns: Int, four: Double = 0.1, start: Int = 2) throws -> Rules {
    try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: four, startTiles: start)
  }

  private static func expect(_ value: PolicyValue, equals reference: [Double]) {
    #expect(abs(value.expectedScore - reference[0]) < 1e-9)
    #expect(abs(value.expectedMoves - reference[1]) < 1e-9)
    #expect(value.largestTiles.count == reference.count - 2)
    for (found, expected) in zip(value.largestTiles, reference.dropFirst(2)) { #expect(abs(found - expected) < 1e-12) }
    #expect(abs(value.reachProbability(ofExponent: 0) - 1) < 1e-12)
    #expect(abs(value.reachProbability(ofExponent: 4) - reference.dropFirst(6).reduce(0, +)) < 1e-12)
  }

  /// The policy of an evaluator that values symmetric positions differently.
  @Test(.slow, arguments: [(2, 2, 0.1, 2), (2, 3, 0.1, 2), (3, 2, 0.4, 3), (2, 3, 0, 1), (2, 2, 1, 3)])
  func greedyByAnyEvaluator(_ rows: Int, _ columns: Int, _ four: Double, _ start: Int) throws {
    let rules = try Self.rules(rows, columns, four: four, start: start)
    let evaluator = RandomEvaluator(seed: 7)
    var reference = ReferenceValue(rules: rules, greedyBy: evaluator)
    let expected = reference.start()
    let value = try BoardSolver(rules: rules, threads: 2).value(ofGreedyPolicyOf: evaluator)
    Self.expect(value, equals: expected)
    #expect(value.positionCount == reference.known.count)
  }

  /// An evaluator that values symmetric positions alike has the same value up to symmetry, over fewer positions.
  @Test(.slow, arguments: [(2, 2), (2, 3), (3, 2)]) func greedyBySymmetricEvaluator(_ rows: Int, _ columns: Int) throws
  {
    let rules = try Self.rules(rows, columns)
    let evaluator = RandomEvaluator(seed: 8, symmetricIn: rules.shape)
    var reference = ReferenceValue(rules: rules, greedyBy: evaluator)
    let expected = reference.start()
    let solver = try BoardSolver(rules: rules)
    let all = solver.value(ofGreedyPolicyOf: evaluator)
    let reduced = solver.value(ofGreedyPolicyOf: evaluator, scope: .upToSymmetry)
    Self.expect(all, equals: expected)
    Self.expect(reduced, equals: expected)
    #expect(reduced.positionCount < all.positionCount / 2)
  }

  /// Ties go to the first of up, right, down, left, as in search. Values that are NaN or infinite do the same.
  @Test(arguments: [0, -1e9, .infinity, -.infinity, .nan] as [Float]) func ties(_ constant: Float) throws {
    let rules = try Self.rules(2, 3)
    let evaluator = ConstantEvaluator(constant: constant)
    let solver = try BoardSolver(rules: rules)
    let value = solver.value(ofGreedyPolicyOf: evaluator)
    let searched = solver.value { boards in
      var search = Expectimax(evaluator, rules: rules)
      return boards.map { search.move(on: $0) }
    }
    #expect(value == searched)
    // Rounding keeps the rewards only when the constant is 0; then the reference can be compared, too.
    guard constant == 0 else { return }
    var reference = ReferenceValue(rules: rules, greedyBy: evaluator)
    Self.expect(value, equals: reference.start())
  }

  /// The optimum loses nothing, even when it is rounded to single precision; a worse policy loses the difference of the
  /// values.
  @Test(arguments: [(2, 2), (2, 3)]) func regret(_ rows: Int, _ columns: Int) throws {
    let rules = try Self.rules(rows, columns)
    let solver = try BoardSolver(rules: rules)
    let solution = solver.solve()
    let exact = solver.value { boards in boards.map { solution.move(on: $0) } }
    #expect(abs(exact.regret(to: solution).points) < 1e-9)
    for scope in [BoardSolver.Scope.allBoards, .upToSymmetry] {
      let greedy = solver.value(ofGreedyPolicyOf: solution, scope: scope)
      #expect(abs(greedy.regret(to: solution).points) < 1e-6)
      #expect(abs(greedy.regret(to: solution).percent) < 1e-6)
    }
    let worse = solver.value(ofGreedyPolicyOf: RandomEvaluator(seed: 9)).regret(to: solution)
    #expect(worse.points > 1)
    #expect(abs(worse.percent - 100 * worse.points / solution.startValue) < 1e-9)
  }

  /// A game ends where a policy returns no move or an illegal one.
  @Test func endedByThePolicy() throws {
    let rules = try Self.rules(2, 2)
    let solver = try BoardSolver(rules: rules)
    let none = solver.value { boards in boards.map { _ in nil } }
    #expect(none.expectedScore == 0 && none.expectedMoves == 0)
    let stubborn = solver.value { boards in boards.map { _ in .left } }
    var reference = ReferenceValue(rules: rules) { _ in .left }
    Self.expect(stubborn, equals: reference.start())
  }

  /// The layers are large enough to be distributed over threads.
  @Test(.slow) func threadsDoNotMatter() throws {
    let rules = try Self.rules(2, 4)
    let evaluator = RandomEvaluator(seed: 4)
    let values = try [1, 2, 3].map { try BoardSolver(rules: rules, threads: $0).value(ofGreedyPolicyOf: evaluator) }
    #expect(Set(values).count == 1)
    #expect(values[0].positionCount > 100_000)
  }
}
