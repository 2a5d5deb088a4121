internal import Dispatch
internal import TupeloBase
internal import TupeloCluster
internal import TupeloEngine

/// The workers of replicas, which learn on private weights: a pool for each replica of this process.
///
/// In each round, every replica plays a fixed number of moves, and finishes the episodes that it has begun. Rounds do
/// not depend on time, on a stop, or on tasks that become due during a round. So the learned weights depend only on the
/// configuration. Between two rounds, after the merge, the replicas have no private state to save.
///
/// With several ranks every rank has such a pool, and all ranks play their rounds at the same time. Progress, random
/// streams and start positions cover all ranks.
final class ReplicaPool: SelfPlayPool {
  private let pools: [any SelfPlayPool]
  private let communicator: any Communicator
  private let mergeMoves: Int
  /// The work before a round, and after it.
  private let beginRound: @Sendable () -> Void
  private let endRound: @Sendable () -> Void
  /// The random streams and starts of the workers of all ranks, between two rounds.
  private let states = Locked<[WorkerState]>([])

  private struct WorkerState: Sendable {
    var stream: RandomStream
    var starts: [UInt64]
  }

  /// - Parameters:
  ///   - pools: one pool for each replica of this process
  ///   - mergeMoves: the moves of a round
  ///   - beginRound: gives the replicas the merged weights, if a task has changed whole tables
  ///   - endRound: merges the replicas, as part of the round, so that the measured speed includes merging
  init(
    _ pools: [any SelfPlayPool], mergeMoves: Int, communicator: any Communicator,
    beginRound: @escaping @Sendable () -> Void, endRound: @escaping @Sendable () -> Void
  ) {
    (self.pools, self.mergeMoves, self.communicator) = (pools, mergeMoves, communicator)
    (self.beginRound, self.endRound) = (beginRound, endRound)
    gatherStates()
  }

  func groupGames(workers: Int) -> Int? { nil }

  /// Tasks that become due in a round wait for its end.
  func roundEnd(training: Int, others: Int, workers: Int) -> Int { Int.max }

  func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    for pool in pools { pool.setStepSize(alpha, isWarmUp: isWarmUp) }
  }

  /// Plays a round of `mergeMoves` moves in each replica, and ignores the limit in `round`. Each replica of the job
  /// plays at most an equal share of the remaining episodes. If the round has one worker, only the first worker of the
  /// first replica plays.
  func playRound(_ round: PlayRound) -> TrainingProgress {
    let clock = ContinuousClock()
    let start = clock.now
    beginRound()
    let total = round.workers == 1 ? 1 : pools.count * communicator.size
    let first = communicator.rank * pools.count
    let progress = Parallel.map(count: pools.count, threads: pools.count) { number in
      let (share, rest) = round.games.quotientAndRemainder(dividingBy: total)
      let games = first + number < total ? share + (first + number < rest ? 1 : 0) : 0
      guard games > 0 else { return TrainingProgress() }
      let workers = round.workers == 1 ? 1 : Int.max
      return pools[number].playRound(PlayRound(games: games, workers: workers, .moves(mergeMoves)))
    }
    var sum = TrainingProgress()
    for part in progress { sum.add(part) }
    sum = sum.added(over: communicator)
    endRound()
    sum.seconds = (clock.now - start) / .seconds(1)
    gatherStates()
    return sum
  }
}

// MARK: Random streams and starts

extension ReplicaPool {
  private var ownStates: [WorkerState] {
    pools.flatMap { pool in zip(pool.streams, pool.starts).map { WorkerState(stream: $0, starts: $1) } }
  }

  /// All ranks exchange their streams and starts.
  private func gatherStates() {
    let own = ownStates
    guard communicator.size > 1 else { return states.withLock { [own] in $0 = own } }
    let words = communicator.gather(own.flatMap { $0.stream.state + [UInt64($0.starts.count)] + $0.starts })
    let all = words.flatMap { words in
      var (states, rest) = ([WorkerState](), words[...])
      while let stream = RandomStream(state: Array(rest.prefix(4))) {
        let count = Int(rest.dropFirst(4).first ?? 0)
        states.append(WorkerState(stream: stream, starts: Array(rest.dropFirst(5).prefix(count))))
        rest = rest.dropFirst(5 + count)
        if rest.isEmpty { break }
      }
      return states
    }
    states.withLock { [all] in $0 = all }
  }

  /// The streams of the workers of all ranks.
  var streams: [RandomStream] { states.withLock { $0 }.map(\.stream) }

  /// The starts of the workers of all ranks.
  var starts: [[UInt64]] { states.withLock { $0 }.map(\.starts) }

  /// Gives each worker of this rank its part of the words of all ranks.
  func restore(starts words: [[UInt64]]) -> Bool {
    var rest = words.dropFirst(communicator.rank * ownStates.count)
    for pool in pools {
      let count = pool.starts.count
      guard rest.count >= count, pool.restore(starts: Array(rest.prefix(count))) else { return false }
      rest = rest.dropFirst(count)
    }
    gatherStates()
    return words.count == communicator.size * ownStates.count
  }
}

extension TrainingProgress {
  /// The sum over all ranks; `seconds` is the time of this rank.
  fileprivate func added(over communicator: any Communicator) -> TrainingProgress {
    guard communicator.size > 1 else { return self }
    let counters = communicator.gather(([games, freshGames, moves] + outcomes).map(Int64.init))
    let scores = communicator.gather([scoreSum, scoreMax])
    var sum = TrainingProgress()
    for (counters, scores) in zip(counters, scores) {
      let counters = counters.map(Int.init)
      var part = TrainingProgress()
      (part.games, part.freshGames, part.moves) = (counters[0], counters[1], counters[2])
      (part.scoreSum, part.scoreMax) = (scores[0], scores[1])
      part.outcomes = Array(counters[3...])
      sum.add(part)
    }
    sum.absoluteErrorSum = communicator.sum([absoluteErrorSum])[0]
    return sum
  }
}
