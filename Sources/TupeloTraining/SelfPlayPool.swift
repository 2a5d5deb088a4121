internal import Dispatch
internal import Synchronization
internal import TupeloEngine
internal import TupeloNetwork

/// The workers of a training run. They play in rounds: between two rounds none of them runs, which is when weights may be looked
/// at as a whole.
final class SelfPlayPool<Player: EpisodePlayer & ~Copyable>: WorkerPool {
  /// A worker and the lock that its round holds.
  private final class Seat: Sendable {
    let worker: Mutex<Player>

    init(_ worker: consuming Player) {
      self.worker = Mutex(worker)
    }
  }

  private let seats: [Seat]
  private let gamesAtOnce: Int

  /// One worker per random stream.
  ///
  /// - Parameter gamesAtOnce: that each worker plays in turn
  init(streams: [RandomStream], gamesAtOnce: Int, makeWorker: (RandomStream) -> Player) {
    seats = streams.map { Seat(makeWorker($0)) }
    self.gamesAtOnce = gamesAtOnce
  }

  /// The workers' random streams, as they stand between rounds.
  var streams: [RandomStream] {
    seats.map { seat in seat.worker.withLock { $0.random } }
  }

  /// What the workers remember of where episodes may start, between rounds.
  var starts: [[UInt64]] {
    seats.map { seat in seat.worker.withLock { $0.startWords } }
  }

  /// Gives each worker its own part of `starts` back.
  ///
  /// - Returns: false when they are not of these workers.
  func restore(starts words: [[UInt64]]) -> Bool {
    words.count == seats.count
      && zip(seats, words).allSatisfy { seat, words in
        seat.worker.withLock { $0.restore(startWords: words) }
      }
  }

  /// Changes how is learned and how positions become features, for the rounds to come.
  func set(_ phase: TrainingPhase, indexer: TupleIndexer) {
    for seat in seats { seat.worker.withLock { $0.set(phase, indexer: indexer) } }
  }

  /// Plays up to `games` episodes, fewer when `deadline` passes or `shouldStop` says so; an episode begun is played to its end.
  ///
  /// Games in turn learn from each other's weights, so one thread plays them in groups that neither cuts short: what is learned then depends on
  /// their number alone. Threads that share weights differ from run to run anyway, and wait less for each other without groups.
  ///
  /// - Parameters:
  ///   - played: episodes of the run so far; groups end at multiples of `RunConfiguration.Training.groupGames`
  ///   - workers: how many of them play
  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    let claimed = Atomic(0)
    let total = Mutex(TrainingProgress())
    let clock = ContinuousClock()
    let start = clock.now
    let groupGames = RunConfiguration.Training.groupGames
    let hasGroups = min(workers, seats.count) == 1 && gamesAtOnce > 1
    @Sendable func isOver() -> Bool { clock.now >= deadline || shouldStop() }
    DispatchQueue.concurrentPerform(iterations: min(workers, seats.count)) { index in
      let progress = seats[index].worker.withLock { worker in
        var progress = TrainingProgress()
        while !isOver() {
          // What is left of the group.
          var left = hasGroups ? groupGames - (played + progress.games) % groupGames : Int.max
          let stretch = worker.play {
            guard left > 0, hasGroups || !isOver() else { return false }
            left -= 1
            return claimed.wrappingAdd(1, ordering: .relaxed).oldValue < games
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
