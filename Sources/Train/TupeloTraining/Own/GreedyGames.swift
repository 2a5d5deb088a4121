public import TupeloEngine
public import TupeloEvaluation
public import TupeloLearning
public import TupeloSelfPlay

/// Games that are played greedily: each choice is the first with the largest reward + value of the state after it.
///
/// Game k draws its chance from a stream that depends on `seed` and k alone. So the results do not depend on the number
/// of threads.
public struct GreedyGames<Game: SelfPlayGame>: Sendable {
  public var game: Game
  public var games: Int
  public var seed: UInt64
  public var threads: Int

  @inlinable
  public init(_ game: Game, games: Int, seed: UInt64, threads: Int = 1) {
    (self.game, self.games, self.seed, self.threads) = (game, games, seed, threads)
  }

  /// Plays all games with the values of an evaluator.
  ///
  /// - Parameter makeEvaluator: called once per thread
  /// - Returns: the results of game 0, 1, 2, ...; scores are sums of rewards, rounded to the nearest whole number
  @inlinable
  public func results<E: StateEvaluator & ~Copyable>(
    _ makeEvaluator: @escaping @Sendable () -> E
  ) -> [GameResult] where E.State == Game.Choices.State {
    onAllThreads { [self] next, finish in
      var evaluator = makeEvaluator()
      while let number = next() { finish(number, play(game: number, by: &evaluator)) }
    }
  }

  /// Plays game number `game`.
  @inlinable
  public func play<E: StateEvaluator & ~Copyable>(
    game number: Int, by evaluator: inout E
  ) -> GameResult where E.State == Game.Choices.State {
    var random = RandomStream(seed: seed, stream: UInt64(number))
    var position = game.start(using: &random)
    var (score, moves) = (0.0, 0)
    while true {
      let choices = game.choices(of: position)
      var (best, bestSum) = (-1, -Float.infinity)
      for number in 0..<choices.end where choices.contains(number) {
        let sum = choices.reward(ofChoice: number) + evaluator.value(of: choices.state(afterChoice: number))
        if best < 0 || sum > bestSum { (best, bestSum) = (number, sum) }
      }
      guard best >= 0 else { break }
      score += Double(choices.reward(ofChoice: best))
      moves += 1
      position = game.position(after: choices, choice: best, using: &random)
    }
    return GameResult(score: Int(score.rounded()), moves: moves, outcome: game.outcome(of: position))
  }

  @usableFromInline
  func onAllThreads(
    _ play: @escaping @Sendable (_ next: () -> Int?, _ finish: (Int, GameResult) -> Void) -> Void
  ) -> [GameResult] {
    let results = ParallelGames(count: games, threads: threads)
      .results(shouldStop: { false }, onGame: { _ in }, makePlayer: {}) { _, _, next, finish in play(next, finish) }
    return results.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension [GameResult] {
  /// The mean score with its 95% interval; `nil` without results.
  public var meanScore: MeanEstimate? { MeanEstimate(of: map { Double($0.score) }) }
}
