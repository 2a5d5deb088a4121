internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloSelfPlay
internal import TupeloTables
internal import TupeloTraining

/// The only worker of a dense network's training, and its network between rounds.
///
/// Episodes in lockstep learn from each other's weights. So they are played in groups, which neither the deadline nor a
/// stop cuts short. Then the learned weights depend only on the number of games.
final class LockstepPool<Game: SelfPlayGame, Encoder: FeatureEncoder, O: Optimizer & ~Copyable>: SelfPlayPool
where Encoder.State == Game.Choices.State {
  typealias Worker = LockstepWorker<Game, Encoder, O>
  /// Lets the worker play, as `LockstepWorker.play` does. It is made where the types are known.
  typealias Play = @Sendable (_ worker: inout Worker, _ claims: () -> Bool) -> TrainingProgress

  private let worker: Locked<Worker>
  private let groupGames: Int
  private let play: Play

  init(_ worker: consuming sending Worker, groupGames: Int, play: @escaping Play) {
    self.worker = Locked(worker)
    (self.groupGames, self.play) = (groupGames, play)
  }

  /// Calls `body` with the learner, between rounds.
  func withLearner<R: ~Copyable, E: Error>(
    _ body: (inout DenseLearner<Encoder, O>) throws(E) -> sending R
  ) throws(E) -> sending R {
    try worker.withLock { (worker: inout sending Worker) throws(E) in
      try body(&worker.learner)
    }
  }

  var streams: [RandomStream] { [worker.withLock { $0.random }] }

  var starts: [[UInt64]] { [worker.withLock { $0.startWords }] }

  func restore(starts words: [[UInt64]]) -> Bool {
    guard words.count == 1 else { return false }
    let words = words[0]
    return worker.withLock { $0.restore(startWords: words) }
  }

  func setStepSize(_ alpha: Float, isWarmUp: Bool) { worker.withLock { $0.learner.optimizer.stepSize = alpha } }

  func groupGames(workers: Int) -> Int? { groupGames }

  func playRound(_ round: PlayRound) -> TrainingProgress {
    let clock = ContinuousClock()
    let start = clock.now
    var progress = TrainingProgress()
    func isOver() -> Bool {
      switch round.limit {
      case .clock(let deadline, let shouldStop): clock.now >= deadline || shouldStop()
      case .moves(let moves): progress.moves >= moves
      }
    }
    while progress.games < round.games, !isOver() {
      let group = groupGames - (round.played + progress.games) % groupGames
      var left = min(round.games - progress.games, group)
      let stretch = worker.withLock { worker in
        play(&worker) {
          left -= 1
          return left >= 0
        }
      }
      progress.add(stretch)
    }
    progress.seconds = (clock.now - start) / .seconds(1)
    return progress
  }
}
