internal import TupeloBase
public import TupeloLearning
public import TupeloSelfPlay

/// A worker of a `WorkerPool`.
///
/// A pool is generic over its workers, which are objects, and not over the learner inside them. A learner cannot be
/// copied, and before macOS 15 and iOS 18 no object can become an `any SelfPlayPool` whose own generic arguments cannot
/// be copied.
@usableFromInline
protocol PoolWorker: AnyObject, Sendable {
  var random: RandomStream { get }
  var startWords: [UInt64] { get }
  func restore(startWords words: [UInt64]) -> Bool
  func setStepSize(_ alpha: Float, isWarmUp: Bool)
  /// Plays as `SelfPlayWorker.play` does.
  func play(while claims: (_ moves: Int) -> Bool) -> TrainingProgress
}

/// A worker that one thread at a time uses.
@usableFromInline
final class LockedWorker<Game: SelfPlayGame, L: Learner & ~Copyable>: PoolWorker
where L.Encoder.State == Game.Choices.State {
  @usableFromInline typealias Worker = SelfPlayWorker<Game, L>

  /// Lets a worker play, as `SelfPlayWorker.play` does. It is made where game and learner are known, so that the
  /// compiler specialises the loop. They are not known here.
  @usableFromInline typealias Play = @Sendable (inout Worker, _ claims: (_ moves: Int) -> Bool) -> TrainingProgress

  private let worker: Locked<Worker>
  private let playEpisodes: Play

  @usableFromInline
  init(_ worker: consuming Worker, play: @escaping Play) {
    self.worker = Locked(worker)
    playEpisodes = play
  }

  @usableFromInline var random: RandomStream { worker.withLock { $0.random } }

  @usableFromInline var startWords: [UInt64] { worker.withLock { $0.startWords } }

  @usableFromInline func restore(startWords words: [UInt64]) -> Bool {
    worker.withLock { $0.restore(startWords: words) }
  }

  @usableFromInline func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    worker.withLock { $0.learner.setStepSize(alpha, isWarmUp: isWarmUp) }
  }

  @usableFromInline func play(while claims: (_ moves: Int) -> Bool) -> TrainingProgress {
    worker.withLock { playEpisodes(&$0, claims) }
  }
}
