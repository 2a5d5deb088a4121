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

  /// One worker per random stream.
  init(streams: [RandomStream], makeWorker: (RandomStream) -> Player) {
    seats = streams.map { Seat(makeWorker($0)) }
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
  /// - Parameter workers: how many of them play
  func playRound(
    games: Int, workers: Int, until deadline: ContinuousClock.Instant, shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    let claimed = Atomic(0)
    let total = Mutex(TrainingProgress())
    let clock = ContinuousClock()
    let start = clock.now
    DispatchQueue.concurrentPerform(iterations: min(workers, seats.count)) { index in
      let progress = seats[index].worker.withLock { worker in
        worker.play {
          clock.now < deadline && !shouldStop() && claimed.wrappingAdd(1, ordering: .relaxed).oldValue < games
        }
      }
      total.withLock { $0.add(progress) }
    }
    return total.withLock {
      $0.seconds = (clock.now - start) / .seconds(1)
      return $0
    }
  }
}
