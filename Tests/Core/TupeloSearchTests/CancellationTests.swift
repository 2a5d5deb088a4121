import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloSearch

/// Searches that another thread ends, requests that leave the queue, and limits outside the allowed range.
@Suite(.timeLimit(.minutes(30))) struct CancellationTests {
  private static let board = Board(bits: 0x1000_0230_0012_0345)

  /// Counts its calls, and sets a flag at one of them.
  private final class Counted: Evaluator {
    let cancellation = SearchCancellation()
    private let asked = Counter()
    private let limit: Int

    init(cancelsAt limit: Int = .max) { self.limit = limit }

    var count: Int { asked.value }

    func value(of afterstate: Afterstate) -> Float {
      if asked.add(1) == limit { cancellation.cancel() }
      return HashEvaluator().value(of: afterstate)
    }
  }

  /// Agents whose moves take minutes or years.
  private static func slowAgents(_ evaluator: Counted) throws -> [(name: String, agent: AnyAgent)] {
    [
      ("8 plies", AnyAgent(Expectimax(evaluator, plies: 8))),
      ("8 plies without a table", AnyAgent(try Expectimax(evaluator, limits: .plies(8), tableBytes: 0))),
      ("8 plies on two threads", AnyAgent(Expectimax(evaluator, limits: .plies(8), threads: 2))),
      ("an hour", AnyAgent(Expectimax(evaluator, limits: .time(.seconds(3600))))),
      ("many nodes", AnyAgent(Expectimax(evaluator, limits: .nodes(1_000_000_000)))),
      ("minimax", AnyAgent(Minimax(evaluator, plies: 10))),
      ("greedy rollouts", AnyAgent(MonteCarlo(evaluator, rollouts: 1_000_000_000))),
    ]
  }

  @Test(arguments: 0..<7) func everyAgentEndsItsSearch(_ index: Int) throws {
    // Before the flag is set it counts nothing, so any number of evaluations would pass without it.
    for limit in [1, 5000] {
      let evaluator = Counted(cancelsAt: limit)
      var (name, agent) = try Self.slowAgents(evaluator)[index]
      agent.stop(on: evaluator.cancellation)
      _ = agent.move(on: Self.board)
      // Two threads check the flag every 256 nodes; a rollout is played to its end.
      #expect((limit...limit + 20_000).contains(evaluator.count), "\(name): \(evaluator.count)")
      let before = evaluator.count
      _ = agent.analyze(Self.board)
      #expect(evaluator.count <= before + 4000, "\(name): an analysis after the flag was set")
    }
  }

  /// Random rollouts ask no evaluator, so the clock measures their end. All of them would take days.
  @Test func randomRolloutsEnd() {
    let cancellation = SearchCancellation()
    var agent = AnyAgent(MonteCarlo(rollouts: 1_000_000_000))
    agent.stop(on: cancellation)
    // A thread of its own: the search occupies one of the few threads that tasks share, and other tests the rest.
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.02)
      cancellation.cancel()
    }
    let start = ContinuousClock.now
    let analysis = agent.analyze(Self.board)
    #expect(cancellation.isCancelled && ContinuousClock.now - start < .seconds(60))
    #expect(analysis.map { $0.nodes > 0 } == true, "it has played until then")
  }

  /// A flag that is never set changes nothing.
  @Test(
    arguments: [
      "expectimax(plies: 1, extend: 0)", "expectimax(plies: 2)", "expectimax(plies: 3)", "expectimax(nodes: 3000)",
      "expectimax(plies: 3, threads: 2)", "minimax(plies: 2)", "montecarlo(rollouts: 3, policy: greedy)", "greedy",
    ] as [String])
  func theFlagChangesNoMove(_ text: String) throws {
    let specification = try AgentSpecification(text: text)
    var (plain, flagged) = (
      try specification.makeAgent(model: HashEvaluator()), try specification.makeAgent(model: HashEvaluator())
    )
    flagged.stop(on: SearchCancellation())
    var game = Game(rules: .standard, seed: 21)
    plain.beginGame(seed: 21, number: 0)
    flagged.beginGame(seed: 21, number: 0)
    for _ in 0..<40 {
      let move = plain.move(on: game.board)
      #expect(flagged.move(on: game.board) == move)
      guard let move, game.play(move) != nil else { break }
    }
    #expect(game.plies > 10)
  }

  /// A cancelled request has no answer, even if the search is finished before it checks the flag.
  @Test(arguments: 1...4) func aCancelledQuestionHasNoAnswerAtAnyDepth(_ plies: Int) async throws {
    let cancellation = SearchCancellation()
    cancellation.cancel()
    let searcher = Searcher(HashEvaluator())
    var search = Expectimax(HashEvaluator(), plies: 1)
    for board in [Self.board, .empty] {
      #expect(throws: CancellationError.self) {
        try search.analyze(board, limits: .plies(plies), cancellation: cancellation)
      }
      #expect(throws: CancellationError.self) {
        try searcher.analyze(board, limits: .plies(plies), cancellation: cancellation)
      }
    }
    // This flag is set in the middle of the search.
    let evaluator = Counted(cancelsAt: 1)
    #expect(throws: CancellationError.self) {
      try Searcher(evaluator).analyze(Self.board, limits: .plies(plies), cancellation: evaluator.cancellation)
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await searcher.analyze(Self.board, limits: .plies(plies))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// Waits until a searcher is at work.
  private func begun(_ evaluator: Counted) async {
    while evaluator.count == 0 { await Task.yield() }
  }

  /// The first request takes ten minutes; the requests behind it are cancelled and return while the first one runs.
  @Test func cancelledQuestionsLeaveTheQueue() async throws {
    let evaluator = Counted()
    let searcher = Searcher(evaluator)
    let isAnswered = Locked(false)
    let long = Task {
      defer { isAnswered.withLock { $0 = true } }
      return try await searcher.analyze(Self.board, limits: .time(.seconds(600)))
    }
    await begun(evaluator)
    let waiting = (0..<8).map { _ in Task { try await searcher.analyze(Self.board, limits: .plies(2)) } }
    // The tasks enter the queue meanwhile.
    for _ in 0..<1000 { await Task.yield() }
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    let flag = SearchCancellation()
    flag.cancel()
    let waits = Task.detached { try searcher.analyze(Self.board, limits: .plies(1), cancellation: flag) }
    await #expect(throws: CancellationError.self) { try await waits.value }
    #expect(!isAnswered.withLock { $0 }, "the long question was over first")
    // The queue continues behind them.
    let last = Task { try await searcher.analyze(Self.board, limits: .plies(1)) }
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
    #expect(try await last.value.best != nil)
  }

  /// Limits that an app may take from a slider are refused when they are out of range.
  @Test(
    arguments: [
      (SearchLimits(plies: 0), SearchLimitsError.plies(0), "plies is 0: give 1 to 8, or up to 15 with a limit on time"),
      (.plies(-3), .plies(-3), "plies is -3: give 1 to 8"), (.plies(9), .plies(9), "plies is 9: give 1 to 8"),
      (SearchLimits(plies: 16, time: .seconds(1)), .plies(16), "plies is 16: give 1 to 8, or up to 15"),
      (.time(.zero), .time(.zero), "time is 0.0 seconds: give more than zero"),
      (.time(.seconds(-1)), .time(.seconds(-1)), "time is -1.0 seconds: give more than zero"),
      (.nodes(0), .nodes(0), "nodes is 0: give at least 1"),
      (
        SearchLimits(minimumProbability: 1), .minimumProbability(1),
        "minimumProbability is 1.0: give a number of at least 0 and below 1"
      ),
    ] as [(SearchLimits, SearchLimitsError, String)])
  func limitsOutsideTheirRangeAreThrown(_ limits: SearchLimits, _ error: SearchLimitsError, _ text: String) async {
    let searcher = Searcher(HashEvaluator())
    #expect(throws: error) { try limits.check() }
    #expect(throws: error) { try searcher.analyze(Self.board, limits: limits, cancellation: nil) }
    await #expect(throws: error) { try await searcher.analyze(Self.board, limits: limits) }
    #expect("\(error)".hasPrefix(text))
  }

  @Test func limitsThatAreNoNumbersAreThrown() {
    #expect(throws: SearchLimitsError.self) { try SearchLimits(minimumProbability: .nan).check() }
    #expect(throws: SearchLimitsError.self) { try SearchLimits(minimumProbability: -0.5).check() }
    #expect(throws: Never.self) { try SearchLimits(minimumProbability: 0.5).check() }
    #expect(throws: SearchLimitsError.plies(15)) { try SearchLimits().check() }
  }

  /// An agent with limits from a slider plays as with the nearest limit in range, which is worked out by hand.
  @Test(
    arguments: [
      (SearchLimits(plies: 0), SearchLimits(plies: 1)), (.plies(-3), .plies(1)), (.plies(.min), .plies(1)),
      (.plies(9), .plies(8)), (.plies(.max), .plies(8)),
      (SearchLimits(plies: 16, nodes: 1), .nodes(1)), (.nodes(0), .nodes(1)), (.nodes(.min), .nodes(1)),
      (.time(.zero), .time(.nanoseconds(1))), (.time(.seconds(-1)), .time(.nanoseconds(1))),
      (.time(.seconds(Int64.max)), .time(.seconds(1_000_000_000))),
      (SearchLimits(plies: 2, minimumProbability: -1), .plies(2)),
      (SearchLimits(plies: 2, minimumProbability: .nan), .plies(2)),
      (SearchLimits(plies: 2, minimumProbability: .infinity), SearchLimits(plies: 2, minimumProbability: 1 - 0x1p-52)),
    ] as [(SearchLimits, SearchLimits)])
  func agentsTakeTheNearestLimits(_ limits: SearchLimits, _ nearest: SearchLimits) throws {
    #expect(limits.clamped == nearest && nearest.clamped == nearest)
    #expect(throws: Never.self) { try nearest.check() }
    var search = Expectimax(HashEvaluator(), limits: limits)
    #expect(search.limits == nearest)
    // A search to 8 plies, or for 30 years, does not end.
    guard nearest.plies < 3 || nearest.nodes != nil || nearest.time == .nanoseconds(1) else { return }
    #expect(search.move(on: Self.board) != nil)
    #expect(try !search.analyze(Self.board, limits: limits).candidates.isEmpty)
  }

  @Test func otherAgentsTakeTheNearestSettings() {
    #expect(Expectimax(HashEvaluator(), plies: 0).plies == 1 && Expectimax(HashEvaluator(), plies: 99).plies == 8)
    #expect(Minimax(HashEvaluator(), plies: -1).plies == 1 && Minimax(HashEvaluator(), plies: .max).plies == 15)
    for rollouts in [1, 0, -5, .min] {
      var agent = MonteCarlo(rollouts: rollouts)
      #expect(agent.rollouts == 1 && agent.move(on: Self.board) != nil)
    }
  }

  /// A specification that the parser never makes, because it checks numbers.
  @Test func specificationsWithAnyNumbersMakeAgents() throws {
    for number in [Int.min, -1, 0, .max] {
      var settings = AgentSpecification.ExpectimaxSettings(plies: 1, milliseconds: number, nodes: number)
      settings.table = min(number, 0)
      settings.extend = number
      settings.threads = number
      var agents: [AgentSpecification] = [.init(.expectimax(settings))]
      if number < 1 {
        agents += [
          .expectimax(plies: number), .init(.minimax(plies: number)),
          .init(.monteCarlo(rollouts: number, policy: .random)),
        ]
      }
      for specification in agents {
        var agent = try specification.makeAgent(model: HashEvaluator())
        #expect(agent.move(on: Self.board) != nil, "\(specification)")
      }
    }
  }

  @Test func anyNumberOfThreadsSearches() throws {
    var alone = Expectimax(HashEvaluator(), plies: 2)
    let expected = alone.analyze(Self.board).candidates
    for threads in [-1, 0, 9] {
      let searcher = Searcher(HashEvaluator(), threads: threads)
      let analysis = try searcher.analyze(Self.board, limits: .plies(2), cancellation: nil)
      #expect(analysis.candidates == expected)
    }
  }
}
