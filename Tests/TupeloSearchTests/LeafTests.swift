import Synchronization
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

/// Which leaves an evaluator is asked for.
@Suite struct LeafTests {
  /// Remembers what it was asked.
  private final class Recorder: Evaluator {
    let asked = Mutex<[Afterstate]>([])

    func value(of afterstate: Afterstate) -> Float {
      asked.withLock { $0.append(afterstate) }
      return HashEvaluator().value(of: afterstate)
    }
  }

  /// The leaves of a 2-ply search by the reference, each once per chance node and direction.
  private static func leaves(_ board: Board, rules: Rules) -> [Afterstate] {
    let reference = ReferenceBoard(board, shape: rules.shape)
    return Move.allCases.compactMap { reference.moved($0)?.board }.flatMap { after in
      Move.allCases.flatMap { move in
        Set(
          after.spawns(fourProbability: rules.fourProbability).compactMap {
            $0.board.moved(move)?.board.engineAfterstate
          })
      }
    }
  }

  @Test(arguments: [(4, 4, 0.1), (4, 4, 0), (4, 4, 1), (2, 3, 0.5), (3, 2, 0.1), (3, 3, 0.1)])
  func eachLeafOfAChanceNodeIsAskedForOnce(_ rows: Int, _ columns: Int, _ fourProbability: Double) throws {
    let rules = try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: fourProbability)
    for largest in [2, 5, 14] {
      for board in try ExpectimaxTests.boards(40, rules: rules, seed: UInt64(largest), largest: largest) {
        let recorder = Recorder()
        var search = Expectimax(recorder, limits: .plies(2), rules: rules, tableBytes: 0)
        let analysis = search.analyze(board)
        let asked = recorder.asked.withLock { $0 }
        // Two directions seldom lead to the same place; then it is asked for twice.
        let expected = Self.leaves(board, rules: rules)
        #expect(asked.count == expected.count && analysis.nodes == asked.count, "\(board.hex(in: rules.shape))")
        #expect(
          Dictionary(asked.map { ($0, 1) }, uniquingKeysWith: +)
            == Dictionary(expected.map { ($0, 1) }, uniquingKeysWith: +))
      }
    }
  }

  /// Deeper, leaves and chance nodes are remembered: most leaves are asked for once (asked twice are two of one chance node, or of one slot).
  @Test func leavesAreRemembered() throws {
    var (asked, distinct, forgetful) = (0, 0, 0)
    for board in try ExpectimaxTests.boards(10, seed: 12) {
      func leaves(_ search: inout Expectimax<Recorder>) -> [Afterstate] {
        _ = search.analyze(board)
        return search.evaluator.asked.withLock { asked in
          defer { asked = [] }
          return asked
        }
      }
      var search = Expectimax(Recorder(), plies: 3)
      let first = leaves(&search)
      #expect(leaves(&search).isEmpty, "the second time all is known")
      search.forget()
      #expect(leaves(&search) == first)
      var plain = Expectimax(Recorder(), limits: .plies(3), tableBytes: 0)
      (asked, distinct, forgetful) = (
        asked + first.count, distinct + Set(first).count, forgetful + leaves(&plain).count
      )
    }
    #expect(asked * 10 < distinct * 12 && distinct * 13 < forgetful * 10, "\(asked), \(distinct), \(forgetful)")
  }

  /// One and two tiles of 32768, on lines where they meet and where they do not.
  @Test(arguments: [
    [15, 15, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 2, 1, 2, 1], [15, 0, 0, 15, 1, 2, 3, 4, 0, 2, 0, 0, 2, 1, 2, 1],
    [15, 3, 0, 0, 0, 2, 3, 4, 15, 0, 0, 0, 2, 1, 2, 1], [15, 3, 1, 0, 14, 14, 3, 4, 1, 0, 0, 0, 14, 1, 14, 1],
    [15, 2, 1, 15, 14, 14, 3, 4, 1, 0, 15, 0, 14, 1, 14, 15],
    [14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 0, 14, 14, 14],
    [15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 0, 15, 15, 15],
  ])
  func largeTilesMergeInLeaves(_ exponents: [Int]) throws {
    let board = try Board(exponents: exponents)
    let naive = NaiveExpectimax(HashEvaluator(), rules: .standard)
    for plies in 2...3 {
      var search = Expectimax(HashEvaluator(), plies: plies)
      let analysis = search.analyze(board)
      #expect(!analysis.candidates.isEmpty)
      for candidate in analysis.candidates {
        let expected = try #require(naive.value(of: candidate.move, on: board, plies: plies))
        #expect(abs(candidate.value - expected) < 0.01 + expected * 1e-5)
      }
    }
  }
}
