import SetAgents
import SetEngine
import SetTraining
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloSearch
import TupeloTraining

/// Games that a signal ends between their moves: finished games count, and the other games leave no trace.
@Suite struct AbandonedGameTests {
  /// Counts moves over all agents, and sets the flag at one of them.
  private final class Moves: Sendable {
    let cancellation = SearchCancellation()
    private let made = Counter()
    private let limit: Int

    init(cancelsAt limit: Int = .max) { self.limit = limit }

    var count: Int { made.value }

    func next() { if made.add(1) == limit { cancellation.cancel() } }
  }

  /// Plays the first legal move. Once the flag is set it returns nonsense, as a search that was stopped does.
  private struct First: Agent {
    let moves: Moves

    mutating func move(on board: Board) -> Move? {
      moves.next()
      return moves.cancellation.isCancelled ? nil : board.legalMoves().moves.first
    }
  }

  private struct Interleaved: InterleavingAgent {
    let moves: Moves
    var gamesAtOnce: Int { 4 }

    mutating func expect(_ board: Board) {}

    mutating func move(on board: Board) -> Move? {
      moves.next()
      return moves.cancellation.isCancelled ? nil : board.legalMoves().moves.first
    }
  }

  private struct FirstSet: SetAgent {
    let moves: Moves

    mutating func choice(in position: SetPosition) -> Trio? {
      moves.next()
      return moves.cancellation.isCancelled ? nil : position.sets.first { _ in true }
    }
  }

  private static let (games, seed) = (40, UInt64(5))

  /// The results of a series whose flag is set at a move, and the moves that were made.
  private func results(
    cancelsAt limit: Int, _ rules: GameRules, _ makePlayer: @Sendable (Moves) -> any GamePlayer
  ) -> (results: [Int: GameResult], moves: Int) {
    let moves = Moves(cancelsAt: limit)
    let series = GameSeries(rules, games: Self.games, seed: Self.seed, threads: 1)
    let results = series.results(of: GameNumbers(to: Self.games), cancellation: moves.cancellation) {
      makePlayer(moves)
    }
    return (results, moves.count)
  }

  private func check(_ rules: GameRules, atOnce: Int = 1, _ makePlayer: @Sendable (Moves) -> any GamePlayer) {
    let whole = results(cancelsAt: .max, rules, makePlayer)
    #expect(whole.results.count == Self.games)
    var counts: Set<Int> = []
    for limit in [1, whole.moves / 10, whole.moves / 3, whole.moves * 2 / 3, whole.moves - 1] {
      let part = results(cancelsAt: limit, rules, makePlayer)
      // Each of the other interleaved games may make one more move.
      #expect((limit..<limit + atOnce).contains(part.moves), "\(limit): \(part.moves)")
      #expect(part.results.count < Self.games)
      for (game, result) in part.results { #expect(whole.results[game] == result) }
      // The results are those of a shorter series: games that end early do not count before longer ones that began
      // earlier.
      #expect(part.results.keys.sorted() == Array(0..<part.results.count))
      counts.insert(part.results.count)
    }
    // Finished games count.
    #expect(counts.contains(0) && counts.count >= 4, "\(counts)")
  }

  @Test func gamesOf2048() { check(.board(.standard)) { BoardPlayer(First(moves: $0)) } }

  @Test func interleavedGames() {
    check(.board(.standard), atOnce: 4) { BoardPlayer(Interleaved(moves: $0)) }
    check(.board(.standard), atOnce: 4) { BoardPlayer(AnyAgent(Interleaved(moves: $0))) }
  }

  /// The number that progress shows is the number of games that count if the series is stopped now.
  @Test func onlyGamesThatCountAreShown() {
    for limit in stride(from: 200, through: 6000, by: 100) {
      let moves = Moves(cancelsAt: limit)
      let shown = Locked(0)
      let series = GameSeries(.board(.standard), games: Self.games, seed: Self.seed, threads: 1)
      let report = series.run(
        cancellation: moves.cancellation, onGame: { games in shown.withLock { $0 = games } },
        makePlayer: { BoardPlayer(Interleaved(moves: moves)) })
      #expect(shown.withLock { $0 } == report?.games ?? 0, "\(limit)")
    }
  }

  @Test func gamesOfSet() { check(.set(.standard)) { SetPlayer(FirstSet(moves: $0)) } }

  /// The flag is set in the middle of a move that takes years.
  @Test(.timeLimit(.minutes(30))) func deepSearches() {
    let nodes = Moves(cancelsAt: 5000)
    let report = Evaluation(games: 2, seed: 1, threads: 2).run(cancellation: nodes.cancellation) {
      Expectimax(Asked(moves: nodes), plies: 8)
    }
    #expect(report == nil && nodes.count < 10_000)
    let values = Moves(cancelsAt: 5000)
    let series = GameSeries(.set(.standard), games: 2, seed: 1, threads: 2)
    let rollouts = series.run(cancellation: values.cancellation) {
      SetPlayer(RolloutPlayer(Asked(moves: values), settings: .count(1_000_000_000)))
    }
    #expect(rollouts == nil && values.count < 20_000, "\(values.count)")
  }

  /// Counts evaluations as moves.
  private struct Asked: Evaluator, SetEvaluator {
    let moves: Moves

    func value(of afterstate: Afterstate) -> Float {
      moves.next()
      return HashEvaluator().value(of: afterstate)
    }

    func value(of afterstate: SetAfterstate) -> Float {
      moves.next()
      return Float(afterstate.unseen.count)
    }
  }

  /// Rollouts stop in the middle of a choice: the games before it take a few hundred shuffles.
  @Test(.timeLimit(.minutes(30))) func rolloutsOfSet() throws {
    let asked = Counter()
    var player = AnySetAgent(
      EndgamePlayer(RolloutPlayer(HeuristicSetEvaluator(), settings: .count(1_000_000_000))))
    player.stop { asked.add(1) >= 3 }
    var random = RandomStream(seed: 1)
    var game = SetGame(rules: .standard, using: &random)
    while game.dealMore() != nil {}
    #expect(try player.choice(in: #require(game.position)) != nil)
    #expect(asked.value == 3)
  }

  @Test func recordsOfGames() {
    let moves = Moves(cancelsAt: 20)
    var player = BoardPlayer(First(moves: moves))
    #expect(player.record(of: 1, seed: 1, name: "first", model: nil, cancellation: moves.cancellation) == nil)
    #expect(moves.count == 20)
    let choices = Moves(cancelsAt: 5)
    var set = SetPlayer(FirstSet(moves: choices))
    #expect(set.record(of: 1, seed: 1, name: "first", model: nil, cancellation: choices.cancellation) == nil)
    #expect(choices.count == 5)
  }

  @Test func probes() throws {
    let header = ProbeBoards.Header(rules: .standard, largest: 6, agent: "first", model: nil, seed: 11)
    let recorder = ProbeRecorder(header, boards: 5, games: 500, threads: 1)
    let every = Moves()
    let boards = recorder.run(cancellation: every.cancellation) { First(moves: every) }
    #expect(boards.entries.allSatisfy { $0.count == 5 })
    let early = Moves(cancelsAt: every.count / 2)
    _ = recorder.run(cancellation: early.cancellation) { First(moves: early) }
    #expect(early.count == every.count / 2)

    let probe = Probe(boards, games: 20, seed: 3, threads: 1)
    let moves = Moves()
    let whole = try #require(probe.run(cancellation: moves.cancellation) { First(moves: moves) })
    let half = Moves(cancelsAt: moves.count / 2)
    let part = try #require(probe.run(cancellation: half.cancellation) { First(moves: half) })
    #expect(half.count == moves.count / 2 && (1..<whole.games).contains(part.games))
    let none = Moves(cancelsAt: 1)
    #expect(probe.run(cancellation: none.cancellation) { First(moves: none) } == nil)
  }

  /// A flag that is never set changes no result.
  @Test func wholeSeriesAreTheSame() throws {
    let network = try EvaluationTests.network()
    for plies in [1, 2] {
      let evaluation = Evaluation(games: 6, seed: 9, threads: 2)
      let numbers = GameNumbers(to: 6)
      let flagged = try evaluation.results(of: numbers, cancellation: SearchCancellation()) {
        try AgentSpecification.expectimax(plies: plies).makeAgent(model: network)
      }
      var alone = Expectimax(network, plies: plies)
      for game in 0..<6 { #expect(flagged[game] == evaluation.play(game: game, by: &alone)) }
    }
  }
}
