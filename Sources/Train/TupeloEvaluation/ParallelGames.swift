internal import Dispatch
internal import TupeloBase

/// Numbered games on several threads. Each thread takes the next game that has not begun.
package struct ParallelGames {
  /// The number of all games.
  package let count: Int
  package let threads: Int

  package init(count: Int, threads: Int) { (self.count, self.threads) = (count, threads) }

  /// Plays the games and returns the result of each.
  ///
  /// - Parameters:
  ///   - number: the number of the game that begins first, second and so on, from 0
  ///   - shouldStop: called before each game, from any thread; when it returns true, games that have not begun are left
  ///     out
  ///   - onGame: called after each game with the number of games that count so far, from any thread: games that began
  ///     before the first unfinished game
  ///   - makePlayer: called once per thread
  ///   - play: called once per thread, with its player, the number of games that one thread gets at least, and two
  ///     functions: the first gives the number of the thread's next game, `nil` when no game is left; the second takes
  ///     a game's result
  /// - Returns: the results by game number, from the first game that began up to the first abandoned game. A long game
  ///   is abandoned more often than a short one, so an average over later games would be too low.
  /// - Throws: the first error of `makePlayer`. Then no further game begins.
  package func results<Result: Sendable, Player, E: Error>(
    number: @escaping @Sendable (Int) -> Int = { $0 }, shouldStop: @escaping @Sendable () -> Bool,
    onGame: @escaping @Sendable (Int) -> Void, makePlayer: @Sendable () throws(E) -> Player,
    play: @Sendable (inout Player, _ share: Int, _ next: () -> Int?, _ finish: (Int, Result) -> Void) -> Void
  ) throws(E) -> [Int: Result] {
    let next = Counter()
    let done = Locked(FinishedGames())
    let results = Locked<[Int: Result]>([:])
    let failure = Locked<E?>(nil)
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
      var mine: [Int: Result] = [:]
      var player: Player
      do throws(E) {
        player = try makePlayer()
      } catch {
        return failure.withLock { if $0 == nil { $0 = error } }
      }
      play(&player, share) {
        guard !shouldStop(), failure.withLock({ $0 == nil }) else { return nil }
        let index = next.next()
        return index < count ? number(index) : nil
      } _: { game, result in
        mine[game] = result
        onGame(done.withLock { $0.add(game, of: count, number: number) })
      }
      results.withLock { [mine] in $0.merge(mine) { $1 } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    let finished = results.withLock { $0 }
    let begun = (0..<max(min(next.value, count), 0)).map(number)
    guard let gap = begun.firstIndex(where: { finished[$0] == nil }) else { return finished }
    let kept = Set(begun[..<gap])
    return finished.filter { kept.contains($0.key) }
  }

  /// The games that have finished, and how many of them count.
  private struct FinishedGames {
    /// Finished games after the first unfinished one.
    private var later: Set<Int> = []
    private var counted = 0

    /// - Returns: the number of games before the first unfinished game
    mutating func add(_ game: Int, of count: Int, number: (Int) -> Int) -> Int {
      later.insert(game)
      while counted < count, later.remove(number(counted)) != nil { counted += 1 }
      return counted
    }
  }

  /// The number of games that one thread gets, so that all threads have work.
  private var share: Int { count > 0 ? (count - 1) / max(threads, 1) + 1 : 0 }
}
