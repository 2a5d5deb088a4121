internal import TupeloTraining

/// An evaluation with its progress shown.
enum EvaluationRun {
  /// Runs the evaluation; `nil` when it was stopped before a game was finished.
  static func show(
    _ series: GameSeries, interrupt: Interrupt, makePlayer: @Sendable () -> any GamePlayer
  ) -> EvaluationReport? {
    let progress = Progress.Counted("evaluating", of: series.games)
    defer { progress.finish() }
    return series.run(
      cancellation: interrupt.cancellation, onGame: { progress.show($0) }, makePlayer: makePlayer)
  }
}
