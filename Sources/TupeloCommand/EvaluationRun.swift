internal import Threads
internal import TupeloSearch
internal import TupeloTraining

/// Runs an evaluation and shows its progress on a terminal.
enum EvaluationRun {
  /// Runs the evaluation; `nil` when it was stopped before a game was finished.
  static func show<A: Agent>(
    _ evaluation: Evaluation, interrupt: Interrupt, isLive: Bool = Terminal.outputIsTerminal,
    makeAgent: @Sendable () -> A
  ) -> EvaluationReport? {
    let progress = EvaluationProgress(games: evaluation.games, isLive: isLive)
    defer { progress.finish() }
    return evaluation.run(
      shouldStop: { interrupt.isRequested }, onGame: { progress.show($0) }, makeAgent: makeAgent)
  }
}

/// A progress line that is updated a few times a second, from any thread.
final class EvaluationProgress: Sendable {
  private let games: Int
  private let isLive: Bool
  private let nextUpdate = Locked(ContinuousClock.now)

  init(games: Int, isLive: Bool = Terminal.outputIsTerminal) {
    self.games = games
    self.isLive = isLive
  }

  func show(_ done: Int) {
    guard isLive else { return }
    nextUpdate.withLock { next in
      guard ContinuousClock.now >= next else { return }
      next = ContinuousClock.now + .milliseconds(200)
      Terminal.status("evaluating: \(Format.grouped(done))/\(Format.grouped(games)) games")
    }
  }

  func finish() {
    if isLive { Terminal.clearStatus() }
  }
}
