internal import TupeloEngine
public import TupeloSearch

/// Measures how often an agent makes the next tile and the goal from recorded boards.
///
/// Averages of whole games do not show this, because a game spends most of its moves on the way to such a board. The
/// games of a group use its boards in rotation. Game k draws its tiles from a stream that depends on `seed` and k
/// alone, so the result does not depend on the number of threads.
public struct Probe: Sendable {
  public let boards: ProbeBoards
  /// The number of games for each group.
  public let games: Int
  public let seed: UInt64
  public let threads: Int

  public init(_ boards: ProbeBoards, games: Int, seed: UInt64, threads: Int) {
    (self.boards, self.games, self.seed, self.threads) = (boards, games, seed, threads)
  }

  /// The result of a game that was played on from a recorded board.
  struct Result: Sendable {
    /// Whether it made the next tile of its group, and the goal.
    let hasNext: Bool
    let hasGoal: Bool
    let moves: Int
  }

  /// The number of all games.
  public var gameCount: Int { games * playable.count }

  /// The groups that have boards, by number.
  private var playable: [Int] { boards.entries.indices.filter { !boards.entries[$0].isEmpty } }

  /// Plays all games, each until the goal is made or no move is legal.
  ///
  /// - Parameters:
  ///   - shouldStop: called before each game, from any thread; when it returns true, games that have not begun are left
  ///     out of the report
  ///   - cancellation: once it is set, games in progress are abandoned, too; see `GameSeries`
  ///   - onGame: called after each game with the number of finished games, from any thread
  ///   - makeAgent: called once per thread
  /// - Returns: the report; `nil` when no game was finished.
  /// - Throws: the error of `makeAgent`.
  public func run<A: Agent, E: Error>(
    shouldStop: @escaping @Sendable () -> Bool = { false }, cancellation: SearchCancellation = SearchCancellation(),
    onGame: @escaping @Sendable (Int) -> Void = { _ in }, makeAgent: @Sendable () throws(E) -> A
  ) throws(E) -> ProbeReport? {
    let start = ContinuousClock.now
    // Game k plays on from a board of group k mod 3. So all groups progress equally, and a probe of more games begins
    // with the games of a smaller probe.
    let (groups, count) = (playable, boards.entries.count)
    let results = try ParallelGames(count: gameCount, threads: threads).results(
      number: { $0 / groups.count * count + groups[$0 % groups.count] },
      shouldStop: { cancellation.isCancelled || shouldStop() }, onGame: onGame, makePlayer: makeAgent
    ) { agent, _, next, finish in
      agent.stop(on: cancellation)
      while let game = next() {
        let result = play(game, by: &agent, cancellation: cancellation)
        guard !cancellation.isCancelled else { return }
        finish(game, result)
      }
    }
    return ProbeReport(self, results: results, seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  /// Plays a game. The result of a game that was cancelled has no meaning.
  private func play(_ number: Int, by agent: inout some Agent, cancellation: SearchCancellation) -> Result {
    let (turn, index) = number.quotientAndRemainder(dividingBy: boards.entries.count)
    let (group, entries) = (boards.groups[index], boards.entries[index])
    agent.beginGame(seed: seed, number: UInt64(number))
    var game = Game(
      rules: boards.header.rules, board: entries[turn % entries.count].board,
      random: RandomStream(seed: seed, stream: UInt64(number)))
    var hasNext = false
    // Only a merge makes the next tile or the goal, and then its reward is at least that tile.
    let least = group.nextTile
    while let move = agent.move(on: game.board), !cancellation.isCancelled, let turn = game.play(move) {
      guard turn.reward >= least else { continue }
      let row = game.board.largestRow
      guard row.largest == group.largest else { return Result(hasNext: true, hasGoal: true, moves: game.plies) }
      hasNext = hasNext || row.count > group.count
    }
    return Result(hasNext: hasNext, hasGoal: false, moves: game.plies)
  }
}
