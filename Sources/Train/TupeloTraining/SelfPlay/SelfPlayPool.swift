internal import Dispatch
internal import Threads
internal import TupeloConfiguration
internal import TupeloEngine
internal import TupeloLearning

/// The workers of a training run, for any game and learner. They play in rounds; between two rounds no worker runs.
package protocol SelfPlayPool: Sendable {
  /// The workers' random streams, between rounds.
  var streams: [RandomStream] { get }
  /// The start positions that the workers remember, between rounds.
  var starts: [[UInt64]] { get }

  /// Gives each worker its own part of `starts` back.
  ///
  /// - Returns: false when the words are not those of these workers.
  func restore(starts words: [[UInt64]]) -> Bool

  /// Changes the step size for the next rounds.
  func setStepSize(_ alpha: Float, isWarmUp: Bool)

  /// Whether so many workers play groups of games that must not be cut short.
  func hasGroups(workers: Int) -> Bool

  /// The number of games in a group; groups end at multiples of it.
  var groupGames: Int { get }

  /// Whether rounds end by themselves, after a number of moves that neither the clock nor a stop nor a task that
  /// becomes due changes: see `ReplicaPool`.
  var hasLegs: Bool { get }

  /// Plays until `moves` moves have been made or `games` episodes played, whichever is first. An episode that has begun
  /// is played to its end.
  func playLeg(games: Int, moves: Int) -> TrainingProgress

  /// Plays a round.
  ///
  /// - Parameters:
  ///   - games: the largest number of episodes
  ///   - played: the number of episodes of the run so far
  ///   - workers: the number of workers that play
  ///   - deadline: the time after which no further episode begins
  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress
}

extension SelfPlayPool {
  package var groupGames: Int { RunConfiguration.Training.groupGames }
  package var hasLegs: Bool { false }
  package func playLeg(games: Int, moves: Int) -> TrainingProgress {
    preconditionFailure("the configuration refuses replicas of such workers")
  }
}

/// Workers of one kind, one per thread.
final class WorkerPool<Game: SelfPlayGame, L: Learner & ~Copyable>: SelfPlayPool
where L.Encoder.State == Game.Choices.State {
  typealias Worker = SelfPlayWorker<Game, L>

  /// The workers; a round holds the lock of each worker that plays.
  private let workers: [Locked<Worker>]
  private let gamesAtOnce: Int
  /// Runs a round while the weights are shared.
  private let sharing: Sharing

  typealias Sharing = @Sendable (() -> TrainingProgress) -> TrainingProgress

  /// Makes one worker per random stream.
  ///
  /// - Parameters:
  ///   - gamesAtOnce: the number of episodes that each worker interleaves
  ///   - sharing: runs a round while no pass over the whole table can run
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

  func hasGroups(workers count: Int) -> Bool { min(count, workers.count) == 1 && gamesAtOnce > 1 }

  /// Plays up to `games` episodes, fewer when `deadline` passes or `shouldStop` says so; an episode begun is played to
  /// its end.
  ///
  /// Interleaved games learn from each other's weights. So one thread plays them in groups, which neither the deadline
  /// nor a stop cuts short: what it learns then depends on the number of games alone. Threads that share weights differ
  /// from run to run anyway, and wait less for each other without groups.
  ///
  /// - Parameters:
  ///   - played: the number of episodes of the run so far; groups end at multiples of
  ///     `RunConfiguration.Training.groupGames`
  ///   - workers: the number of workers that play
  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    sharing { play(games: games, after: played, workers: workers, until: deadline, shouldStop: shouldStop) }
  }

  func playLeg(games: Int, moves limit: Int) -> TrainingProgress {
    sharing {
      let (claimed, total) = (Counter(), Locked(TrainingProgress()))
      // Each worker stops by its own moves, so that how fast the others are changes nothing of what it plays.
      let share = (limit + workers.count - 1) / workers.count
      DispatchQueue.concurrentPerform(iterations: workers.count) { index in
        let progress = workers[index].withLock { worker in
          worker.play { moves in moves < share && claimed.next() < games }
        }
        total.withLock { $0.add(progress) }
      }
      return total.withLock { $0 }
    }
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
          // The number of games left in the group.
          var left = hasGroups ? groupGames - (played + progress.games) % groupGames : Int.max
          let stretch = worker.play { _ in
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
