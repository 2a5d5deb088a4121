internal import Dispatch
public import TupeloBase
public import TupeloLearning
public import TupeloTables

/// Workers of one kind, one per thread.
@usableFromInline
final class WorkerPool<Worker: PoolWorker, Cell: WeightCell>: SelfPlayPool {
  /// The workers; each locks itself while it plays.
  private let workers: [Worker]
  private let weights: WeightStorage<Cell>
  private let gamesAtOnce: Int

  /// Makes one worker for each random stream.
  @usableFromInline
  init<Rule: StepSizeRule>(
    _ table: ValueTable<Rule>, _ streams: [RandomStream], gamesAtOnce: Int,
    makeWorker: (_ table: ValueTable<Rule>, _ random: RandomStream) -> Worker
  ) where Rule.Cell == Cell {
    (weights, self.gamesAtOnce) = (table.weights, gamesAtOnce)
    let table = table.over(weights.ofRounds)
    workers = streams.map { random in makeWorker(table, random) }
  }

  @usableFromInline var streams: [RandomStream] { workers.map(\.random) }

  @usableFromInline var starts: [[UInt64]] { workers.map(\.startWords) }

  @usableFromInline func restore(starts words: [[UInt64]]) -> Bool {
    words.count == workers.count
      && zip(workers, words).allSatisfy { worker, words in worker.restore(startWords: words) }
  }

  @usableFromInline func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    for worker in workers { worker.setStepSize(alpha, isWarmUp: isWarmUp) }
  }

  /// Interleaved games learn from each other's weights. So one thread plays them in groups, which neither the deadline
  /// nor a stop cuts short. Then the learned weights depend only on the number of games. Runs of several threads that
  /// share weights differ anyway, and the threads wait less for each other without groups.
  @usableFromInline func groupGames(workers count: Int) -> Int? {
    min(count, workers.count) == 1 && gamesAtOnce > 1 ? Turns.groupGames : nil
  }

  @usableFromInline func playRound(_ round: PlayRound) -> TrainingProgress {
    let clock = ContinuousClock()
    let start = clock.now
    var progress = weights.shared {
      switch round.limit {
      case .clock(let deadline, let shouldStop):
        play(round, isOver: { clock.now >= deadline || shouldStop() })
      case .moves(let moves): play(round, moves: moves)
      }
    }
    progress.seconds = (clock.now - start) / .seconds(1)
    return progress
  }

  /// Each worker stops by its own number of moves, so that the speed of other workers does not change its games.
  private func play(_ round: PlayRound, moves limit: Int) -> TrainingProgress {
    let claimed = Counter()
    let count = min(round.workers, workers.count)
    let share = (limit + count - 1) / count
    return together(count) { worker in
      worker.play { moves in moves < share && claimed.next() < round.games }
    }
  }

  private func play(_ round: PlayRound, isOver: @Sendable () -> Bool) -> TrainingProgress {
    let claimed = Counter()
    let group = groupGames(workers: round.workers)
    return together(min(round.workers, workers.count)) { worker in
      var progress = TrainingProgress()
      // Without groups, the claim of each game checks the end itself.
      while group == nil || !isOver() {
        // The number of games left in the group.
        var left = group.map { $0 - (round.played + progress.games) % $0 } ?? Int.max
        let stretch = worker.play { _ in
          guard left > 0, group != nil || !isOver() else { return false }
          left -= 1
          return claimed.next() < round.games
        }
        guard stretch.games > 0 else { break }
        progress.add(stretch)
      }
      return progress
    }
  }

  /// Lets the first workers play at the same time, and returns their total progress.
  private func together(_ count: Int, _ body: @Sendable (Worker) -> TrainingProgress) -> TrainingProgress {
    let total = Locked(TrainingProgress())
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let progress = body(workers[index])
      total.withLock { $0.add(progress) }
    }
    return total.withLock { $0 }
  }
}
