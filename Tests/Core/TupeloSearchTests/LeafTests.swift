import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloSearch

/// The leaves that an evaluator is asked for.
@Suite struct LeafTests {
  /// An evaluator that remembers the afterstates that it was asked for.
  private final class Recorder: Evaluator {
    let asked = Locked<[Afterstate]>([])

    func value(of afterstate: Afterstate) -> Float {
      asked.withLock { $0.append(afterstate) }
      return HashEvaluator().value(of: afterstate)
    }
  }

  /// The leaves after one more tile and move by the reference, each leaf once for each direction.
  private static func leaves(after board: ReferenceBoard, rules: Rules) -> [Afterstate] {
    let boards = board.spawns(fourProbability: rules.fourProbability).map(\.board)
    return Move.allCases.flatMap { move in Set(boards.compactMap { $0.moved(move)?.board.engineAfterstate }) }
  }

  /// How often each afterstate occurs.
  private static func times(_ afterstates: [Afterstate]) -> [Afterstate: Int] {
    afterstates.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func afterstates(of board: ReferenceBoard) -> [ReferenceBoard] {
    Move.allCases.compactMap { board.moved($0)?.board }
  }

  @Test(arguments: [(4, 4, 0.1), (4, 4, 0), (4, 4, 1), (2, 3, 0.5), (3, 2, 0.1), (3, 3, 0.1)])
  func eachLeafOfAChanceNodeIsAskedForOnce(_ rows: Int, _ columns: Int, _ fourProbability: Double) throws {
    let rules = try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: fourProbability)
    var leaves = 0
    for largest in [2, 5, 14] {
      for board in try ExpectimaxTests.boards(40, rules: rules, seed: UInt64(largest), largest: largest) {
        let recorder = Recorder()
        var search = try Expectimax(recorder, limits: .plies(2), rules: rules, tableBytes: 0)
        let analysis = search.analyze(board)
        let asked = recorder.asked.withLock { $0 }
        // Two directions seldom lead to the same afterstate; then the evaluator is asked for it twice.
        let expected = Self.afterstates(of: ReferenceBoard(board, shape: rules.shape))
          .flatMap { Self.leaves(after: $0, rules: rules) }
        leaves += expected.count
        #expect(asked.count == expected.count && analysis.nodes == asked.count, "\(board.hex(in: rules.shape))")
        let (askedTimes, expectedTimes) = (Self.times(asked), Self.times(expected))
        #expect(askedTimes == expectedTimes)
      }
    }
    #expect(leaves > 500)
  }

  /// In deeper searches the table knows chance nodes, and leaves that two of them have in common are remembered.
  @Test func leavesAreRemembered() throws {
    var (asked, distinct, all) = (0, 0, 0)
    for board in try ExpectimaxTests.boards(10, seed: 12) {
      var search = Expectimax(Recorder(), plies: 3)
      func leaves() -> [Afterstate] {
        _ = search.analyze(board)
        return search.evaluator.asked.withLock { asked in
          defer { asked = [] }
          return asked
        }
      }
      let first = leaves()
      #expect(leaves().isEmpty, "the table knows the second time")
      search.forget()
      #expect(leaves() == first)
      let nodes = Set(
        Self.afterstates(of: ReferenceBoard(board)).flatMap { after in
          after.spawns(fourProbability: 0.1).flatMap { Self.afterstates(of: $0.board) }
        })
      let expected = nodes.flatMap { Self.leaves(after: $0, rules: .standard) }
      #expect(Set(first) == Set(expected))
      (asked, distinct, all) = (asked + first.count, distinct + Set(first).count, all + expected.count)
    }
    // Most repetitions are found in the table. The other ones share a slot with another leaf, or occur twice in one
    // chance node.
    #expect(asked - distinct < (all - distinct) / 2, "\(asked) asked, \(distinct) distinct, \(all) in all")
  }

  /// An evaluator that distinguishes afterstates whose bits alone are equal.
  private struct OverflowEvaluator: Evaluator {
    func value(of afterstate: Afterstate) -> Float {
      HashEvaluator().value(of: afterstate) + Float(afterstate.overflow % 8191) * 1000
    }
  }

  /// Boards with one and with two tiles of 32768, on lines where they meet and where they do not.
  @Test(
    arguments: [
      [15, 15, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 2, 1, 2, 1], [15, 0, 0, 15, 1, 2, 3, 4, 0, 2, 0, 0, 2, 1, 2, 1],
      [15, 3, 0, 0, 0, 2, 3, 4, 15, 0, 0, 0, 2, 1, 2, 1], [15, 3, 1, 0, 14, 14, 3, 4, 1, 0, 0, 0, 14, 1, 14, 1],
      [15, 2, 1, 15, 14, 14, 3, 4, 1, 0, 15, 0, 14, 1, 14, 15],
      [14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 0, 14, 14, 14],
      [15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 0, 15, 15, 15],
    ] as [[Int]])
  func largeTilesMergeInLeaves(_ exponents: [Int]) throws {
    let board = try Board(exponents: exponents)
    let naive = NaiveExpectimax(OverflowEvaluator(), rules: .standard)
    for plies in 2...3 {
      var search = Expectimax(OverflowEvaluator(), plies: plies)
      let analysis = search.analyze(board)
      #expect(!analysis.candidates.isEmpty)
      for candidate in analysis.candidates {
        let expected = try #require(naive.value(of: candidate.move, on: board, plies: plies))
        #expect(abs(candidate.value - expected) < 0.01 + expected * 1e-5)
      }
    }
  }

  /// A board that is certainly lost is worse than a board where the game ends.
  @Test(arguments: [-Float.infinity, .nan]) func valuesThatAreNoNumbersSpread(_ value: Float) throws {
    struct Constant: Evaluator {
      let number: Float
      func value(of afterstate: Afterstate) -> Float { number }
    }
    for board in try ExpectimaxTests.boards(5, seed: 13) {
      for plies in 1...3 {
        var search = Expectimax(Constant(number: value), plies: plies)
        var minimax = Minimax(Constant(number: value), plies: plies)
        for analysis in [search.analyze(board), minimax.analyze(board)] {
          #expect(analysis.candidates.count == board.legalMoves().count)
          for candidate in analysis.candidates { #expect(!candidate.value.isFinite, "\(candidate) at \(plies) plies") }
        }
        #expect(search.move(on: board) != nil && minimax.move(on: board) != nil)
      }
    }
  }
}
