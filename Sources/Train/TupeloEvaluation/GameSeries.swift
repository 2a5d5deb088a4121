public import TupeloModels
public import TupeloSearch

/// Many games of one agent, on several threads. An evaluation of any game consists of such games.
///
/// Game k draws its chance from a stream that depends on `seed` and k alone. So the results do not depend on the number
/// of threads.
public struct GameSeries: Sendable {
  public var rules: GameRules
  public var games: Int
  public var seed: UInt64
  public var threads: Int

  public init(_ rules: GameRules, games: Int, seed: UInt64, threads: Int) {
    (self.rules, self.games, self.seed, self.threads) = (rules, games, seed, threads)
  }

  /// The results of the games before the first one that is missing, by game number. They are those of a series of so
  /// many games, so that whoever repeats them by `--games` finds the same score.
  package static func series(of results: [Int: GameResult]) -> [Int: GameResult] {
    var end = 0
    while results[end] != nil { end += 1 }
    return results.filter { $0.key < end }
  }

  /// Plays all games.
  ///
  /// - Parameters:
  ///   - shouldStop: called before each game, from any thread; when it returns true, games that have not begun are left
  ///     out of the report
  ///   - cancellation: once it is set, games in progress are abandoned between their moves, and in the middle of a
  ///     search. The report then has the games before the first abandoned game, like a series of this number of games
  ///   - onGame: called after each game with the number of finished games that would be in the report, from any thread
  ///   - makePlayer: called once per thread
  /// - Returns: the report; `nil` when no game was finished.
  /// - Throws: the error of `makePlayer`, once all games in progress have ended.
  public func run<E: Error>(
    shouldStop: @escaping @Sendable () -> Bool = { false }, cancellation: SearchCancellation = SearchCancellation(),
    onGame: @escaping @Sendable (Int) -> Void = { _ in }, makePlayer: @Sendable () throws(E) -> any GamePlayer
  ) throws(E) -> EvaluationReport? {
    try play(shouldStop: shouldStop, cancellation: cancellation, onGame: onGame, makePlayer: makePlayer)?.report
  }

  /// Plays all games, as `run` does.
  ///
  /// - Returns: the report, and the results of game 0, 1, 2, ...
  package func play<E: Error>(
    shouldStop: @escaping @Sendable () -> Bool = { false }, cancellation: SearchCancellation = SearchCancellation(),
    onGame: @escaping @Sendable (Int) -> Void = { _ in }, makePlayer: @Sendable () throws(E) -> any GamePlayer
  ) throws(E) -> (report: EvaluationReport, results: [GameResult])? {
    let clock = ContinuousClock()
    let start = clock.now
    let results = try results(
      of: GameNumbers(to: games), shouldStop: shouldStop, cancellation: cancellation, onGame: onGame,
      makePlayer: makePlayer)
    let elapsed = clock.now - start
    let ordered = results.sorted { $0.key < $1.key }.map(\.value)
    return EvaluationReport(results: ordered, rules: rules, seed: seed, seconds: elapsed / .seconds(1))
      .map { ($0, ordered) }
  }

  /// Plays some of the games, such as those of one shard, and returns the result of each.
  ///
  /// - Parameters:
  ///   - numbers: the numbers of the games, each below `games`
  ///   - shouldStop: called before each game, from any thread; when it returns true, games that have not begun are left
  ///     out
  ///   - cancellation: once it is set, games in progress are abandoned, and no other begins; games with higher places
  ///     than the first abandoned game are left out, too
  ///   - onGame: called after each game with the number of finished games that would be in the report, from any thread
  ///   - makePlayer: called once per thread
  /// - Returns: the results by game number
  /// - Throws: the error of `makePlayer`, once all games in progress have ended.
  public func results<E: Error>(
    of numbers: GameNumbers, shouldStop: @escaping @Sendable () -> Bool = { false },
    cancellation: SearchCancellation = SearchCancellation(), onGame: @escaping @Sendable (Int) -> Void = { _ in },
    makePlayer: @Sendable () throws(E) -> any GamePlayer
  ) throws(E) -> [Int: GameResult] {
    try ParallelGames(count: numbers.count, threads: threads).results(
      number: { numbers[$0] }, shouldStop: { cancellation.isCancelled || shouldStop() }, onGame: onGame,
      makePlayer: makePlayer
    ) { player, share, next, finish in
      player.play(seed: seed, atMost: share, cancellation: cancellation, next: next, onGame: finish)
    }
  }
}

/// An arithmetic sequence of game numbers, such as the games of one shard.
public struct GameNumbers: RandomAccessCollection, Hashable, Sendable {
  private let first: Int
  private let step: Int
  public let count: Int

  /// - Parameters:
  ///   - first: the first number
  ///   - end: above the last number
  ///   - step: the distance of two numbers, at least 1
  public init(from first: Int = 0, to end: Int, by step: Int = 1) {
    precondition(step >= 1)
    (self.first, self.step) = (first, step)
    count = end > first ? (end - first - 1) / step + 1 : 0
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(position: Int) -> Int {
    precondition(position >= 0 && position < count)
    return first + position * step
  }
}
