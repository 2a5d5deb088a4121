internal import TupeloBase
internal import TupeloEngine
public import TupeloSearch

/// Finds boards for a probe in games of an agent: the first board of each group in each game.
///
/// The boards of a group come from the first games that have such a board, so they do not depend on the number of
/// threads.
public struct ProbeRecorder: Sendable {
  public let header: ProbeBoards.Header
  /// The number of boards to find for each group.
  public let boards: Int
  /// The largest number of games to play.
  public let games: Int
  public let threads: Int

  public init(_ header: ProbeBoards.Header, boards: Int, games: Int, threads: Int) {
    (self.header, self.boards, self.games, self.threads) = (header, boards, games, threads)
  }

  /// Plays games until each group has its boards.
  ///
  /// - Parameters:
  ///   - cancellation: once it is set, games in progress are abandoned, and no further game begins
  ///   - onBoards: called after each game with the number of boards in the group that has the fewest, from any thread
  ///   - makeAgent: called once per thread
  /// - Returns: the boards; a group has fewer boards than requested if too few games reached it.
  /// - Throws: the error of `makeAgent`.
  public func run<A: Agent, E: Error>(
    cancellation: SearchCancellation = SearchCancellation(), onBoards: @escaping @Sendable (Int) -> Void = { _ in },
    makeAgent: @Sendable () throws(E) -> A
  ) throws(E) -> ProbeBoards {
    let found = Locked(ProbeGroup.all(largest: header.largest).map { _ in 0 })
    // Once there are enough boards, games that have begun are still finished. So no game before the last one is
    // missing.
    let results = try ParallelGames(count: games, threads: threads).results(
      shouldStop: { cancellation.isCancelled || found.withLock { $0.allSatisfy { $0 >= boards } } },
      onGame: { _ in onBoards(found.withLock { min($0.min() ?? 0, boards) }) }, makePlayer: makeAgent
    ) { agent, _, next, finish in
      agent.stop(on: cancellation)
      while let game = next() {
        let boards = firstBoards(ofGame: game, by: &agent, cancellation: cancellation)
        guard !cancellation.isCancelled else { return }
        found.withLock { found in
          for index in boards.indices where boards[index] != nil { found[index] += 1 }
        }
        finish(game, boards)
      }
    }
    var recorded = ProbeBoards(header)
    for (game, found) in results.sorted(by: { $0.key < $1.key }) {
      for (index, board) in found.enumerated() where recorded.entries[index].count < boards {
        if let board { recorded.entries[index].append(.init(board: board, game: game)) }
      }
    }
    return recorded
  }

  /// For each group, the first board of a game with the group's tiles; `nil` if there is no such board, or if that
  /// board already has the next tile.
  private func firstBoards(
    ofGame number: Int, by agent: inout some Agent, cancellation: SearchCancellation
  ) -> [Board?] {
    let groups = ProbeGroup.all(largest: header.largest)
    var boards = [Board?](repeating: nil, count: groups.count)
    var reached = 0
    // Only a merge makes a tile of a group, and then its reward is at least that tile.
    let least = groups.last?.tiles.last ?? 0
    agent.beginGame(seed: header.seed, number: UInt64(number))
    var game = Game(rules: header.rules, seed: header.seed, number: UInt64(number))
    while reached < groups.count, let move = agent.move(on: game.board), !cancellation.isCancelled,
      let turn = game.play(move)
    {
      guard turn.reward >= least else { continue }
      let row = game.board.largestRow
      guard row.largest <= header.largest else { break }
      guard row.largest == header.largest, row.count > reached else { continue }
      reached = row.count
      if reached <= groups.count { boards[reached - 1] = game.board }
    }
    return boards
  }
}
