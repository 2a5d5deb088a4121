internal import Dispatch
internal import Threads
public import TupeloSearch

extension Evaluation {
  /// Plays some of the games, such as those of one shard, and returns the result of each.
  ///
  /// - Parameters:
  ///   - numbers: the numbers of the games, each below `games`
  ///   - shouldStop: called before each game, from any thread; when it returns true, games that have not begun are left
  ///     out
  ///   - onGame: called after each game with the number of finished games, from any thread
  ///   - makeAgent: called once per thread
  /// - Returns: the results by game number
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
