internal import Dispatch
internal import Threads
package import TupeloEngine
internal import TupeloLearning

/// The workers of a training run, whatever they play and however they learn. They play in rounds: between two rounds
/// none of them runs.
package protocol SelfPlayPool: Sendable {
  /// The workers' random streams, as they stand between rounds.
  var streams: [RandomStream] { get }
  /// What the workers remember of where episodes may start, between rounds.
  var starts: [[UInt64]] { get }

  /// Gives each worker its own part of `starts` back.
  ///
  /// - Returns: false when they are not of these workers.
  func restore(starts words: [[UInt64]]) -> Bool

  /// Changes the step size for the rounds to come.
  func setStepSize(_ alpha: Float, isWarmUp: Bool)

  /// Changes what a choice that was never made gets on top, in score points, for the rounds to come; 0 for no such
  /// exploration.
  func setBonus(_ bonus: Float)

  /// Whether so many workers play groups of games that must not be cut short.
  func hasGroups(workers: Int) -> Bool

  /// Plays a round.
  ///
  /// - Parameters:
  ///   - games: episodes at most
  ///   - played: episodes of the run so far
  ///   - workers: how many of them play
  ///   - deadline: when no further episode begins
  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress
}

/// Workers of one kind, one per thread.
final class WorkerPool<Game: SelfPlayGame, L: Learner & ~Copyable, X: Explorer>: SelfPlayPool
where L.Encoder.State == Game.Choices.State {
  typealias Worker = SelfPlayWorker<Game, L, X>

  /// A round holds the lock of each that plays.
  private let workers: [Locked<Worker>]
  private let gamesAtOnce: Int
  /// Runs a round while the weights are shared.
  private let sharing: Sharing

  typealias Sharing = @Sendable (() -> TrainingProgress) -> TrainingProgress

  /// One worker per random stream.
  ///
  /// - Parameters:
  ///   - gamesAtOnce: episodes that each worker interleaves
  ///   - sharing: runs a round while no pass over the whole table can
  init(
    streams: [RandomStream], gamesAtOnce: Int, sharing: @escaping Sharing, makeWorker: (RandomStream) -> Worker
  ) {
    workers = streams.map { Locked(makeWorker($0)) }
    (self.gamesAtOnce, self.sharing) = (gamesAtOnce, sharing)
  }

  var streams: [RandomStream] {
    workers.map { worker in worker.withLock { $0.random } }
  }

  var starts: [[UInt64]] {
    workers.map { worker in worker.withLock { $0.startWords } }
  }

  func restore(starts words: [[UInt64]]) -> Bool {
    words.count == workers.count
      && zip(workers, words).allSatisfy { worker, words in
        worker.withLock { $0.restore(startWords: words) }
      }
  }

  func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    for worker in workers { worker.withLock { $0.learner.setStepSize(alpha, isWarmUp: isWarmUp) } }
  }

  func setBonus(_ bonus: Float) {
    for worker in workers { worker.withLock { $0.explorer.bonus = bonus } }
  }

  func hasGroups(workers count: Int) -> Bool { min(count, workers.count) == 1 && gamesAtOnce > 1 }

  /// Plays up to `games` episodes, fewer when `deadline` passes or `shouldStop` says so; an episode begun is played to
  /// its end.
  ///
  /// Games in turn learn from each other's weights, so one thread plays them in groups that neither cuts short: what is
  /// learned then depends on their number alone. Threads that share weights differ from run to run anyway, and wait
  /// less for each other without groups.
  ///
  /// - Parameters:
  ///   - played: episodes of the run so far; groups end at multiples of `RunConfiguration.Training.groupGames`
  ///   - workers: how many of them play
  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    sharing { play(games: games, after: played, workers: workers, until: deadline, shouldStop: shouldStop) }
  }

  private func play(
    games: Int, after played: Int, workers count: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    let claimed = Counter()
    let total = Locked(TrainingProgress())
    let clock = ContinuousClock()
    let start = clock.now
    let groupGames = RunConfiguration.Training.groupGames
    let hasGroups = hasGroups(workers: count)
    @Sendable func isOver() -> Bool { clock.now >= deadline || shouldStop() }
    DispatchQueue.concurrentPerform(iterations: min(count, workers.count)) { index in
      let progress = workers[index].withLock { worker in
        var progress = TrainingProgress()
        while !isOver() {
          // What is left of the group.
          var left = hasGroups ? groupGames - (played + progress.games) % groupGames : Int.max
          let stretch = worker.play {
            guard left > 0, hasGroups || !isOver() else { return false }
            left -= 1
            return claimed.next() < games
          }
          guard stretch.games > 0 else { break }
          progress.add(stretch)
        }
        return progress
      }
      total.withLock { $0.add(progress) }
    }
    return total.withLock {
      $0.seconds = (clock.now - start) / .seconds(1)
      return $0
    }
  }
}
