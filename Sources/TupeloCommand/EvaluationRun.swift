internal import Synchronization
internal import TupeloSearch
internal import TupeloTraining

/// An evaluation with its progress shown on a terminal.
enum EvaluationRun {
  /// - Returns: `nil` when it was stopped before a game was finished.
  static func show<A: Agent>(
    _ evaluation: Evaluation, interrupt: Interrupt, isLive: Bool = Terminal.outputIsTerminal,
    makeAgent: @Sendable () -> A
  ) -> EvaluationReport? {
    let clock = ContinuousClock()
    let nextUpdate = Mutex(clock.now)
    let report = evaluation.run(
      shouldStop: { interrupt.isRequested },
      onGame: { done in
        guard isLive else { return }
        nextUpdate.withLock { next in
          guard clock.now >= next else { return }
          next = clock.now + .milliseconds(200)
          Terminal.status("evaluating: \(Format.grouped(done))/\(Format.grouped(evaluation.games)) games")
        }
      }, makeAgent: makeAgent)
    if isLive { Terminal.clearStatus() }
    return report
  }
}
