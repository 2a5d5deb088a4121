import Foundation
import TestSupport
import Testing
import TupeloBase
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
    private let calls = Counter()
    var count: Int { calls.value }

    func value(of afterstate: Afterstate) -> Float {
      calls.add(1)
      return Mixed().value(of: afterstate)
    }
  }

  /// Any number of threads gives the result of one thread, and counts the afterstates that the evaluator has valued. A
  /// limit on nodes also gives the number of nodes of one thread. A limit on time gives other results in each run.
  @Test(
    arguments: [
      .plies(1), .plies(2), .plies(3), SearchLimits(plies: 4, minimumProbability: 0.1), .nodes(1), .nodes(300),
      .nodes(5000), SearchLimits(plies: 3, nodes: 2000), SearchLimits(time: .seconds(600), nodes: 3000),
      .time(.milliseconds(5)),
    ] as [SearchLimits], [nil, 0])
  func threadsChangeNothing(_ limits: SearchLimits, tableBytes: Int?) throws {
    let evaluators = (1...4).map { _ in Counted() }
    let searchers = try evaluators.enumerated().map { number, evaluator in
      if let tableBytes { return try Searcher(evaluator, tableBytes: tableBytes, threads: number + 1) }
      return Searcher(evaluator, threads: number + 1)
    }
    for board in try ExpectimaxTests.boards(4, seed: 16) {
      let counts = evaluators.map(\.count)
      let analyses = try searchers.map { try $0.analyze(board, limits: limits, cancellation: nil) }
      #expect(zip(evaluators, counts).map { $0.count - $1 } == analyses.map(\.nodes))
      guard limits.time == nil || limits.nodes != nil else { continue }
      for analysis in analyses {
        #expect(analysis.candidates == analyses[0].candidates && analysis.plies == analyses[0].plies)
        if limits.nodes != nil { #expect(analysis.nodes == analyses[0].nodes) }
      }
    }
  }

  /// Equal searches have equal numbers of nodes, whichever thread is faster.
  @Test func nodesOfThreadsAreRepeatable() throws {
    let board = try ExpectimaxTests.boards(1, seed: 17)[0]
    let nodes = Set(
      (0..<5).map { _ in
        var search = Expectimax(Mixed(), limits: .plies(3), threads: 2)
        return search.analyze(board).nodes
      })
    #expect(nodes.count == 1)
  }

  /// Takes most of its time without the processor, so that two threads are faster than one on any machine.
  private struct Sleeping: Evaluator {
    func value(of afterstate: Afterstate) -> Float { Mixed().value(of: afterstate) }

    func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
      Thread.sleep(forTimeInterval: 0.0002)
      for index in afterstates.indices { values[index] = value(of: afterstates[index]) }
    }
  }

  /// In equal times, two threads reach as many plies as one, or more. The test adds up boards, because the speed of the
  /// machine varies.
  @Test(.slow) func threadsReachThePliesOfOne() throws {
    var searches = [1, 2].map { Expectimax(Sleeping(), limits: .time(.milliseconds(60)), threads: $0) }
    var plies = [0, 0]
    for board in try ExpectimaxTests.boards(60, seed: 18) {
      for index in searches.indices { plies[index] += searches[index].analyze(board).plies }
    }
    #expect(plies[1] >= plies[0] && plies[0] > 120, "\(plies)")
  }

  /// A search that another thread ends leaves the searcher ready for the next request.
  @Test func anotherThreadEndsIt() async throws {
    let evaluator = Counted()
    let searcher = Searcher(evaluator, threads: 3)
    let board = Game(rules: .standard, seed: 4, number: 0).board
    let endless = Task { try await searcher.analyze(board, limits: SearchLimits(minimumProbability: 1e-30)) }
    while evaluator.count == 0 { await Task.yield() }
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    #expect(try await searcher.analyze(board, limits: .plies(1)).best != nil)
  }
}
