import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloSearch

/// Limits on time, nodes and empty cells, and cancellation.
@Suite struct LimitTests {
  private let board = Board(bits: 0x1000_0230_0012_0345)

  /// Deepening to the limits of plies and probability ends with the values of a direct search to them.
  @Test(arguments: [(2, 0), (3, 0), (3, 0.2), (4, 0.02)]) func deepeningEndsWhereAFixedDepthDoes(
    _ plies: Int, _ probability: Double
  ) throws {
    let end = SearchLimits(plies: plies, minimumProbability: probability)
    var fixed = Expectimax(HashEvaluator(), limits: end)
    for (time, nodes) in [(Duration.seconds(600), nil), (nil, 1_000_000_000)] {
      let limits = SearchLimits(plies: plies, time: time, nodes: nodes, minimumProbability: probability)
      for threads in [1, 2] {
        var search = Expectimax(HashEvaluator(), limits: limits, threads: threads)
        for board in try ExpectimaxTests.boards(5, seed: 12) {
          let analysis = search.analyze(board)
          #expect(analysis.plies == plies && analysis.candidates == fixed.analyze(board).candidates)
          #expect(search.move(on: board) == analysis.best?.move)
        }
      }
    }
  }

  /// The values are those of the last completed step, and no unfinished step counts. Each ply divides the cut-off
  /// probability by the square root of 10; up to two plies nothing can be cut off.
  @Test(arguments: [1, 300, 3000, 30_000]) func nodesLimitTheSearch(_ nodes: Int) throws {
    for threads in [1, 3] {
      var search = Expectimax(HashEvaluator(), limits: .nodes(nodes), threads: threads)
      for board in try ExpectimaxTests.boards(10, seed: 13) {
        let analysis = search.analyze(board)
        // The search uses its nodes. It may add a batch of leaves at most, or finish the first ply.
        #expect((nodes...nodes + 120).contains(analysis.nodes), "\(threads) threads")
        let cutOff = analysis.plies > 2 ? pow(10, Double(1 - analysis.plies) / 2) : 0
        let step = SearchLimits(plies: analysis.plies, minimumProbability: cutOff)
        var fixed = Expectimax(HashEvaluator(), limits: step)
        #expect(analysis.candidates == fixed.analyze(board).candidates)
        // The table may take a second search deeper, but not in a new game.
        search.beginGame(seed: 1, number: 1)
        #expect(search.move(on: board) == analysis.best?.move)
        search.beginGame(seed: 1, number: 2)
        #expect(search.analyze(board) == analysis)
        search.beginGame(seed: 1, number: 3)
      }
    }
    var search = Expectimax(HashEvaluator(), limits: .nodes(nodes))
    #expect(search.analyze(board).plies >= (nodes == 1 ? 1 : nodes == 30_000 ? 4 : 2))
  }

  /// The depth reaches its limit, and then the cut-off falls to the probability of a 4 on one of 16 cells, at each
  /// chance layer but the last. The last step cuts nothing off. Without a table the nodes of the steps add up.
  @Test(arguments: [("1234432112343210", 4, 3), ("1234432112340021", 4, 4), ("1203", 2, 6)] as [(String, Int, Int)])
  func theCutOffFallsToTheLeastProbability(_ text: String, _ size: Int, _ plies: Int) throws {
    let rules = try Rules(shape: BoardShape(rows: size, columns: size))
    let board = try Board(hex: text, shape: rules.shape)
    var steps = (1...plies).map {
      SearchLimits(plies: $0, minimumProbability: $0 > 2 ? pow(10, Double(1 - $0) / 2) : 0)
    }
    for halves in plies... {
      let cutOff = pow(10, -Double(halves) / 2)
      guard cutOff > pow(160, -Double(plies - 2)) else { break }
      steps.append(SearchLimits(plies: plies, minimumProbability: cutOff))
    }
    steps.append(.plies(plies))
    let nodes = try steps.map { step in
      var search = try Expectimax(HashEvaluator(), limits: step, rules: rules, tableBytes: 0)
      return search.analyze(board).nodes
    }
    let limits = SearchLimits(plies: plies, nodes: 1_000_000_000)
    var search = try Expectimax(HashEvaluator(), limits: limits, rules: rules, tableBytes: 0)
    #expect(search.analyze(board).nodes == nodes.reduce(0, +), "\(nodes)")
  }

  /// A single legal move takes no evaluation and no time. An analysis values it.
  @Test func aSingleMoveIsNotSearched() throws {
    let board = try Board(hex: "1000200030004000")
    let evaluator = Timed()
    let agents = [
      AnyAgent(Expectimax(evaluator, limits: .plies(9))),
      AnyAgent(Expectimax(evaluator, limits: .nodes(1_000_000_000))),
      AnyAgent(Expectimax(evaluator, limits: .time(.seconds(3600)))),
      AnyAgent(Expectimax(evaluator, limits: .time(.seconds(3600)), threads: 2)),
      AnyAgent(Minimax(evaluator, plies: 10)), AnyAgent(MonteCarlo(evaluator, rollouts: 1_000_000_000)),
    ]
    for agent in agents {
      var agent = agent
      #expect(agent.move(on: board) == .right)
    }
    #expect(evaluator.count == 0)
    for limits in [SearchLimits.plies(2), .nodes(100), .time(.milliseconds(2))] {
      var search = Expectimax(evaluator, limits: limits)
      let before = evaluator.count
      let analysis = search.analyze(board)
      #expect(analysis.candidates.map(\.move) == [.right] && analysis.nodes == evaluator.count - before)
      #expect(analysis.nodes > 0 && analysis.best?.difference == 0)
    }
  }

  /// Counts its calls, and those that come when the time of a search is certainly over.
  private final class Timed: Evaluator {
    /// The end of the time, counted from the first call, which comes after the search has begun.
    private let end = Locked<ContinuousClock.Instant?>(nil)
    private let all = Counter()
    private let late = Locked(0)
    private let time: Duration

    init(_ time: Duration = .seconds(3600)) { self.time = time }

    var count: Int { all.value }
    var lateCount: Int { late.withLock { $0 } }

    /// Prepares for the next search.
    func reset() {
      end.withLock { $0 = nil }
      late.withLock { $0 = 0 }
    }

    func value(of afterstate: Afterstate) -> Float {
      let now = ContinuousClock.now
      let isLate = end.withLock { end in
        let limit = end ?? now + time
        end = limit
        return now >= limit
      }
      if isLate { late.withLock { $0 += 1 } }
      all.add(1)
      return HashEvaluator().value(of: afterstate)
    }
  }

  /// A search uses its time, and then ends soon. The test counts the work after the time, because the clock also
  /// measures what other programs do.
  @Test(arguments: [1, 2]) func timeIsKept(_ threads: Int) throws {
    let (clock, time) = (ContinuousClock(), Duration.milliseconds(50))
    let evaluator = Timed(time)
    var search = Expectimax(evaluator, limits: .time(time), threads: threads)
    var plies = 0
    // On a busy machine a search may get too little of the processor in its time for a second ply.
    for _ in 0..<100 where plies < 2 {
      evaluator.reset()
      let start = clock.now
      plies = max(plies, search.analyze(board).plies)
      let used = clock.now - start
      #expect(used >= time, "it uses its time: \(used)")
      // Each thread looks at the clock every 256 nodes.
      #expect(evaluator.lateCount <= threads * 4000, "\(evaluator.lateCount) evaluations after \(used)")
    }
    #expect(plies >= 2)
  }

  @Test func oneMorePlyOnCrowdedBoards() throws {
    let limits = SearchLimits(plies: 2, extensionEmptyCells: 4)
    var search = Expectimax(HashEvaluator(), limits: limits)
    var depths: Set<Int> = []
    for board in try ExpectimaxTests.boards(40, seed: 14) {
      let isCrowded = ReferenceBoard(board).emptyCells.count <= 4
      var fixed = Expectimax(HashEvaluator(), plies: isCrowded ? 3 : 2)
      let analysis = search.analyze(board)
      depths.insert(analysis.plies)
      #expect(analysis.candidates == fixed.analyze(board).candidates)
      #expect(search.move(on: board) == analysis.best?.move)
    }
    #expect(depths == [2, 3])
  }

  @Test func aCancelledSearchThrows() throws {
    for limits in [SearchLimits.plies(8), .time(.seconds(600))] {
      let cancellation = SearchCancellation()
      cancellation.cancel()
      for threads in [1, 2] {
        var search = Expectimax(HashEvaluator(), limits: .plies(1), threads: threads)
        #expect(throws: CancellationError.self) {
          try search.analyze(board, limits: limits, cancellation: cancellation)
        }
        // The searcher works as well as a new one afterwards.
        var fresh = Expectimax(HashEvaluator(), plies: 2)
        let analysis = try search.analyze(board, limits: .plies(2))
        #expect(analysis.candidates == fresh.analyze(board).candidates)
      }
    }
  }

  @Test func aSearcherAnswersAndIsCancelled() async throws {
    let evaluator = Timed()
    let searcher = Searcher(evaluator)
    var fixed = Expectimax(HashEvaluator(), plies: 3)
    let expected = fixed.analyze(board)
    let board = board
    let answers = try await withThrowingTaskGroup(of: MoveAnalysis.self) { group in
      for _ in 0..<4 { group.addTask { try await searcher.analyze(board, limits: .plies(3)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 4 && answers.allSatisfy { $0.candidates == expected.candidates })
    #expect(try searcher.analyze(board, limits: .plies(3), cancellation: nil).candidates == expected.candidates)
    let timed = try await searcher.analyze(board, limits: .time(.milliseconds(20)))
    #expect(timed.plies >= 1 && timed.candidates.count == expected.candidates.count)

    // A search to eight plies would take hours.
    let before = evaluator.count
    let hopeless = Task { try await searcher.analyze(board, limits: .plies(8)) }
    while evaluator.count == before { await Task.yield() }
    hopeless.cancel()
    await #expect(throws: CancellationError.self) { try await hopeless.value }
  }

  /// A searcher has limits of its own; a request may have others.
  @Test func aSearcherNeedsNoLimits() async throws {
    func best(_ board: Board, plies: Int) -> Move? {
      let naive = NaiveExpectimax(HashEvaluator(), rules: .standard)
      let values = Move.allCases.compactMap { move in
        naive.value(of: move, on: board, plies: plies).map { (move: move, value: $0) }
      }
      return values.max { $0.value < $1.value }?.move
    }
    let crowded = try Board(hex: "1234432112343210")
    #expect(try await Searcher(HashEvaluator()).move(on: crowded) == best(crowded, plies: 3))
    #expect(try await Searcher(HashEvaluator()).analyze(crowded).plies == 3)
    let greedy = Searcher(HashEvaluator(), limits: .plies(1))
    for board in try ExpectimaxTests.boards(20, seed: 15) {
      #expect(try await greedy.move(on: board) == best(board, plies: 1))
    }
    #expect(try await greedy.move(on: crowded, limits: .plies(2)) == best(crowded, plies: 2))
    #expect(try await greedy.move(on: .empty) == nil)
    #expect(try greedy.analyze(crowded, cancellation: nil).plies == 1)
    await #expect(throws: SearchLimitsError.plies(0)) {
      try await Searcher(HashEvaluator(), limits: .plies(0)).move(on: crowded)
    }
  }

  /// The main actor runs while a search makes progress. A search on the main actor would be done before it runs again.
  @MainActor @Test func aSearcherLeavesTheMainActorFree() async throws {
    let evaluator = Timed()
    let searcher = Searcher(evaluator)
    let isDone = Latch()
    let search = Task {
      defer { isDone.set() }
      return try await searcher.analyze(board, limits: SearchLimits(minimumProbability: 1e-30))
    }
    var counts = [0]
    while counts.count < 4, !isDone.isSet {
      await Task.yield()
      if evaluator.count > counts[counts.count - 1] { counts.append(evaluator.count) }
    }
    #expect(counts.count == 4 && !isDone.isSet)
    search.cancel()
    await #expect(throws: CancellationError.self) { try await search.value }
  }
}
