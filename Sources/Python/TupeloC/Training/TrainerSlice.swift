// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

public import CTupeloAPI
internal import TupeloBase
internal import TupeloTraining

/// Ends a slice of training when a control cancels it, or when the time of the slice is over and the slice
/// has begun a game.
private struct SliceEnd: Sendable {
  let deadline: ContinuousClock.Instant?
  let control: Control
  private let questions = Counter()

  init(after milliseconds: Int, _ control: Control) {
    deadline = milliseconds > 0 ? ContinuousClock.now + .milliseconds(milliseconds) : nil
    self.control = control
  }

  /// Called before each round and before each game, from any thread. The first two calls come before the first round
  /// and before its first game.
  func isReached() -> Bool {
    if control.cancellation.isCancelled { return true }
    guard let deadline, questions.next() >= 2 else { return false }
    return ContinuousClock.now >= deadline
  }
}

@c @implementation
public func tupelo_trainer_slice(
  _ trainer: Int64, _ until: Int64, _ milliseconds: Int64, _ control: Int64,
  _ progress: UnsafeMutablePointer<tupelo_progress>?
) -> Int32 {
  status {
    let until = try Memory.number(until, in: 0...1_000_000_000_000, "until")
    let milliseconds = try Memory.number(milliseconds, in: 0...1_000_000_000_000, "milliseconds")
    let progress = try unsafe Memory.optional(progress, "progress")
    if let progress = unsafe progress {
      try Memory.check(size: unsafe progress.pointee.size, MemoryLayout<tupelo_progress>.size, "progress")
    }
    let control = try Control.named(control)
    try Objects.exclusive(trainer, as: TrainerObject.self) { object in
      let trainer = object.trainer
      let end = SliceEnd(after: milliseconds, control)
      var sum = TrainingProgress()
      defer { unsafe progress?.pointee = tupelo_progress(sum, trainer) }
      try trainer.train(
        until: until == 0 ? trainer.configuration.training.games : until, reportGames: 0, shouldStop: end.isReached
      ) { round in
        sum.add(round)
        control.games.add(round.games)
      }
      if control.cancellation.isCancelled { throw Fault.cancelled }
    }
  }
}

extension tupelo_progress {
  fileprivate init(_ slice: TrainingProgress, _ trainer: Trainer) {
    self.init()
    size = UInt64(MemoryLayout<Self>.size)
    (games, moves) = (Int64(trainer.games), Int64(trainer.moves))
    (slice_games, slice_moves, fresh_games) = (Int64(slice.games), Int64(slice.moves), Int64(slice.freshGames))
    (score_sum, score_maximum) = (Int64(slice.scoreSum), Int64(slice.scoreMax))
    (absolute_error_sum, seconds) = (slice.absoluteErrorSum, slice.seconds)
    unsafe withUnsafeMutableBytes(of: &outcomes) { bytes in
      for (outcome, count) in slice.outcomes.enumerated() where (outcome + 1) * 8 <= bytes.count {
        unsafe bytes.storeBytes(of: Int64(count), toByteOffset: outcome * 8, as: Int64.self)
      }
    }
  }
}
