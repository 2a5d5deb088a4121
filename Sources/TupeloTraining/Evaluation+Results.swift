internal import Dispatch
internal import Threads
public import TupeloSearch

extension Evaluation {
  /// Plays some of the games, such as those of one shard, and keeps the result of each.
  ///
  /// - Parameters:
  ///   - numbers: which games, each below `games`
  ///   - shouldStop: asked before each game, from any thread; games not begun by then are left out
  ///   - onGame: told after each game how many are done, from any thread
  ///   - makeAgent: called once per thread
  /// - Returns: by the number of the game
  public func results<A: Agent>(
    of numbers: StrideTo<Int>, shouldStop: @Sendable () -> Bool = { false },
    onGame: @Sendable (Int) -> Void = { _ in }, makeAgent: @Sendable () -> A
  ) -> [Int: GameResult] {
    let games = Array(numbers)
    let next = Counter()
    let done = Counter()
    let results = Locked<[Int: GameResult]>([:])
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, games.count))) { _ in
      var agent = makeAgent()
      play(by: &agent, atMost: share(of: games.count)) {
        guard !shouldStop() else { return nil }
        let index = next.next()
        return index < games.count ? games[index] : nil
      } onGame: { game, result in
        results.withLock { $0[game] = result }
        onGame(done.add(1))
      }
    }
    return results.withLock { $0 }
  }
}
