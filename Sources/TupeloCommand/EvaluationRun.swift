internal import TupeloSearch
internal import TupeloTraining

/// An evaluation with its progress shown.
enum EvaluationRun {
  /// Runs the evaluation; `nil` when it was stopped before a game was finished.
  static func show<A: Agent>(
    _ evaluation: Evaluation, interrupt: Interrupt, makeAgent: @Sendable () -> A
  ) -> EvaluationReport? {
    let progress = Progress.Counted("evaluating", of: evaluation.games)
    defer { progress.finish() }
    return evaluation.run(
      shouldStop: { interrupt.isRequested }, onGame: { progress.show($0) }, makeAgent: makeAgent)
  }
}
