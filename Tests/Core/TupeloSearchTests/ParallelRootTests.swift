import Synchronization
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

/// The moves of the root, searched by several threads.
@Suite struct ParallelRootTests {
  /// A stub that has different values for different afterstates.
  private struct Mixed: Evaluator {
    func value(of afterstate: Afterstate) -> Float { Float((afterstate.bits &* 0x9e37_79b9_7f4a_7c15) >> 50) }
  }

  /// The same values, with the number of calls.
  private final class Counted: Evaluator {
    private let calls = Atomic(0)
    var count: Int { calls.load(ordering: .relaxed) }

    func value(of afterstate: Afterstate) -> Float {
      calls.wrappingAdd(1, ordering: .relaxed)
      return Mixed().value(of: afterstate)
    }
  }

  @Test(arguments: [0, 1 << 16])
  func threadsChangeNothing(tableBytes: Int) throws {
    let limits = SearchLimits.plies(2)
    var alone = try Expectimax(Mixed(), limits: limits, tableBytes: tableBytes)
    var together = try Expectimax(Mixed(), limits: limits, tableBytes: tableBytes, threads: 3)
    var game = Game(rules: .standard, seed: 4, number: 0)
    for _ in 0..<10 {
      let analysis = alone.analyze(game.board)
      #expect(together.analyze(game.board).candidates == analysis.candidates)
      _ = game.play(try #require(analysis.best?.move))
    }
  }

  /// A search that another thread ends leaves the searcher ready for the next request.
  @Test func anotherThreadEndsIt() async throws {
    let evaluator = Counted()
    let searcher = Searcher(evaluator, threads: 3)
    let board = Game(rules: .standard, seed: 4, number: 0).board
    let endless = Task { try await searcher.analyze(board, limits: .plies(8)) }
    while evaluator.count == 0 { await Task.yield() }
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    #expect(try await searcher.analyze(board, limits: .plies(1)).best != nil)
  }
}
