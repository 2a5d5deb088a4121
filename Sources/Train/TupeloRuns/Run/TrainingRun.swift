public import TupeloSearch
public import TupeloTraining

/// A training run in its folder: it trains, records metrics, writes checkpoints, evaluates periodically and keeps the
/// best model.
/// ```swift
/// let directory = try RunDirectory.create(for: configuration)
/// let run = try TrainingRun(Trainer(configuration), in: directory, arguments: [])
/// try run.train(shouldStop: { false })
/// let report = try run.evaluate()
/// ```
public final class TrainingRun {
  public let trainer: Trainer
  public let directory: RunDirectory
  let configuration: RunConfiguration
  var recorder: RunRecorder
  var checkpoints: CheckpointKeeper
  var best: BestModel
  let session: RunMetadata.Session
  let hook: CheckpointHook?
  /// Saves the last checkpoint when the folder cannot take it.
  package var lastCheckpoint = LastCheckpoint()
  /// The last evaluation during training in this session: its average score, and the games that the run had played.
  var evaluation: (score: Double, games: Int)?
  /// All evaluations during training, also the evaluations of earlier sessions.
  private var history = EvaluationHistory()
  /// Why training has stopped before its last game by settings of the run; `nil` while it has not.
  var earlyStop: EarlyStop? { didSet { trainer.isToStop = earlyStop != nil } }
  /// Why the disk may be too small for the run; `nil` when it is not.
  private let shortage: RunDirectoryError?

  /// - Parameters:
  ///   - trainer: a new trainer, or one that resumes from a checkpoint
  ///   - directory: the folder of the run
  ///   - arguments: the program's arguments, for meta.json
  ///   - environment: the environment variables that settings are from, for meta.json
  /// - Throws: `RunDirectoryError`, `MetricsError`, `SystemError`, `SafetensorsError` or `CheckpointError` when the
  ///   folder cannot hold the run.
  public init(_ trainer: Trainer, in directory: RunDirectory, arguments: [String], environment: [String: String] = [:])
    throws
  {
    self.trainer = trainer
    self.directory = directory
    configuration = trainer.configuration
    shortage = try DiskNeed(of: trainer, in: directory).check()
    // meta.json is the first file: it marks the folder as a run's own, even if the process is killed before a
    // checkpoint.
    session = .current(
      arguments: arguments, environment: environment, games: trainer.games, roundedAt: trainer.roundedAt)
    try directory.begin(session, configuration)
    hook = CheckpointHook(configuration.output)
    checkpoints = CheckpointKeeper(directory, output: configuration.output)
    best = try BestModel(directory, isFresh: trainer.games == 0)
    recorder = try RunRecorder(directory, trainer: trainer)
    if configuration.evaluation.mayStop || trainer.merges != nil {
      let metrics = MetricsFile(path: directory.file(RunDirectory.Name.metrics))
      var judge = EvaluationJudge()
      try metrics.forEach(tags: EvaluationJudge.tags) { record in
        let record = judge.judge(record)
        guard let score = record.evaluation(.interim) else { return }
        history.add(
          games: record.games, mean: score.mean, low: record[.evalScoreLow] ?? -.infinity, kind: score.kind)
      }
      history.expect(EvaluationKind(interim: configuration.evaluation))
    }
  }

  /// An event during a run, for progress reports.
  public enum Event {
    /// The progress since the last such event.
    case round(TrainingProgress)
    case evaluation(EvaluationReport, isBest: Bool)
    /// A problem after which training continues. A checkpoint could not be written and will be tried again; a record or
    /// a best model could not be written and is lost; a checkpoint is from a program of other behaviour; the disk may
    /// be too small; the folder cannot be locked; a kept checkpoint was given up; the folder was made
    /// again; or `output.onCheckpoint` failed.
    case problem(any Error)
  }

  /// Trains until the configured number of games, until the configured minutes have passed, until the run stops early
  /// (see `EarlyStop`), or until `shouldStop` returns true. Then it saves a checkpoint.
  ///
  /// A disk that is full for a while does not end hours of training. A failed write is reported as a problem, and the
  /// older checkpoint stays. Only the last checkpoint must succeed. Where the folder cannot take it, it is saved in
  /// another place.
  ///
  /// - Parameters:
  ///   - shouldStop: called before each game, from any thread, and at the end
  ///   - cancellation: once it is set, a periodic evaluation abandons the games in progress; `shouldStop` ends the
  ///     training itself
  ///   - onEvent: called for each event; an error that it throws ends the training
  /// - Returns: why the training has ended
  /// - Throws: `TrainingError.diverged`, with the last checkpoint untouched; `CheckpointRescue` where the last
  ///   checkpoint is in another place; the errors of `Trainer.save`.
  @discardableResult public func train(
    shouldStop: @escaping @Sendable () -> Bool, cancellation: SearchCancellation = SearchCancellation(),
    onEvent: (Event) throws -> Void = { _ in }
  ) throws -> Outcome {
    if let note = trainer.note { try onEvent(.problem(note)) }
    if !directory.isLocked { try onEvent(.problem(RunDirectoryError.noLocks(path: directory.path))) }
    if let shortage { try onEvent(.problem(shortage)) }
    // An earlier evaluation is not that of a network that learns more.
    if trainer.games < configuration.training.games { try attempt(onEvent) { try directory.setEvaluationAside() } }
    let minutes = configuration.training.minutes
    let end = minutes > 0 ? ContinuousClock.now + .seconds(60 * minutes) : nil
    let isOver: @Sendable () -> Bool = { shouldStop() || end.map { ContinuousClock.now >= $0 } ?? false }
    if lacksEvaluation,
      let report = try evaluateInterim(shouldStop: isOver, cancellation: cancellation, onEvent: onEvent)
    {
      // The earlier session was stopped in the middle of this evaluation.
      try attempt(onEvent) { try recorder.finish(evaluation: report) }
    } else {
      stopIfOver()
    }
    try withoutActuallyEscaping(onEvent) { onEvent in
      try trainer.train(
        until: configuration.training.games,
        tasks: tasks(shouldStop: isOver, cancellation: cancellation, onEvent: onEvent),
        shouldStop: isOver
      ) { round in
        recorder.add(round)
        try onEvent(.round(round))
      }
    }
    try attempt(onEvent) { try recorder.finish() }
    try saveLast(onEvent)
    let outcome = outcome(isInterrupted: shouldStop)
    try attempt(onEvent) { try directory.end(with: outcome) }
    return outcome
  }

  private func outcome(isInterrupted: () -> Bool) -> Outcome {
    // A run whose last evaluation was stopped has more to do.
    if trainer.games >= configuration.training.games, !lacksEvaluation { return .finished }
    if isInterrupted() { return .interrupted }
    return earlyStop.map(Outcome.stopped) ?? .outOfTime
  }

  /// Trains as another rank than the first one, which has the folder and decides when to stop.
  public static func follow(_ trainer: Trainer) throws {
    let training = trainer.configuration.training
    try trainer.train(
      until: training.games, reportGames: training.reportGames, shouldStop: { false }, onRound: { _ in })
  }

  /// The tasks of a run: evaluation, metrics and checkpoints, in this order. None changes the training.
  private func tasks(
    shouldStop: @escaping @Sendable () -> Bool, cancellation: SearchCancellation,
    onEvent: @escaping (Event) throws -> Void
  ) -> [RoundTask] {
    var report: EvaluationReport?
    var (isReportDue, isCheckpointDue) = (false, false)
    return [
      RoundTask(every: configuration.evaluation.everyGames) { [self] _ in
        report = try evaluateInterim(shouldStop: shouldStop, cancellation: cancellation, onEvent: onEvent)
      },
      RoundTask(every: configuration.training.reportGames) { _ in isReportDue = true },
      RoundTask(every: configuration.output.checkpointGames) { _ in isCheckpointDue = true },
      RoundTask.afterEveryRound { [self] _ in
        guard report != nil || isReportDue else { return }
        defer { (report, isReportDue) = (nil, false) }
        try attempt(onEvent) { try recorder.flush(evaluation: report) }
      },
      RoundTask.afterEveryRound { [self] _ in
        guard isCheckpointDue || checkpoints.isTimeOver else { return }
        isCheckpointDue = false
        try attempt(onEvent) { try recorder.keepUp() }
        try attempt(onEvent) { try save(onEvent) }
      },
    ]
  }

  /// Whether an evaluation was due at the end of the last round and was not made. A round of replicas ends anywhere, so
  /// there it is compared with the last evaluation; otherwise a round ends at the multiple, or at the end of its group.
  private var lacksEvaluation: Bool {
    let (every, games) = (configuration.evaluation.everyGames, trainer.games)
    guard every > 0, games > 0, configuration.own.game == nil, evaluation?.games != games, !recorder.isEvaluated else {
      return false
    }
    let before = trainer.merges != nil ? history.games : trainer.groupGames.map { (games - 1) / $0 * $0 } ?? games - 1
    return games / every > before / every
  }

  /// Stops the run early if its evaluations say so.
  private func stopIfOver() {
    guard trainer.games < configuration.training.games else { return }
    earlyStop = history.stop(configuration.evaluation, configuration.game) ?? earlyStop
  }

  func attempt(_ onEvent: (Event) throws -> Void, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try onEvent(.problem(error))
    }
  }

  /// Evaluates the present network, on the same games every time.
  private func evaluateInterim(
    shouldStop: @escaping @Sendable () -> Bool, cancellation: SearchCancellation, onEvent: (Event) throws -> Void
  ) throws -> EvaluationReport? {
    guard let (player, model) = try trainer.contender() else { return nil }
    let settings = configuration.evaluation
    let report = try configuration.series(of: .interim).run(
      shouldStop: shouldStop, cancellation: cancellation, makePlayer: player.makePlayer)
    guard let report, report.games == settings.interimGames else { return nil }
    var isBest = false
    if let model { try attempt(onEvent) { isBest = try best.offer(model, report, of: trainer) } }
    try onEvent(.evaluation(report, isBest: isBest))
    evaluation = (report.scoreMean, trainer.games)
    history.add(
      games: trainer.games, mean: report.scoreMean, low: report.scoreMean - report.scoreMargin,
      kind: EvaluationKind(interim: settings))
    stopIfOver()
    return report
  }

  /// Evaluates the network at the end of a session as configured. It writes the result, and the records of the best,
  /// median and worst game, into the folder.
  ///
  /// Before it begins, it renames an earlier result to `evaluation.json.old`, which it removes once the new result is
  /// written. So a run whose evaluation was stopped has no `evaluation.json`, and its next session evaluates it.
  ///
  /// - Parameters:
  ///   - cancellation: once it is set, the evaluation ends, between moves or in the middle of a search
  ///   - onGame: called after each game with the number of finished games, from any thread
  ///   - onProblem: called when the finished evaluation cannot be written; unless it throws, the report is returned
  /// - Returns: `nil` when no games are configured, when the program defines the game itself, or when the evaluation
  ///   was stopped before its last game.
  public func evaluate(
    cancellation: SearchCancellation = SearchCancellation(), onGame: @escaping @Sendable (Int) -> Void = { _ in },
    onProblem: (any Error) throws -> Void = { throw $0 }
  ) throws -> EvaluationReport? {
    guard configuration.evaluation.games > 0, let (contender, model) = try trainer.contender() else { return nil }
    try directory.setEvaluationAside()
    let played = try SessionEvaluation(
      of: contender, model, configuration, cancellation: cancellation, onGame: onGame)
    guard let evaluation = played else { return nil }
    do {
      try evaluation.write(to: directory) { try recorder.finish(evaluation: $0, as: .final) }
    } catch {
      try onProblem(error)
    }
    return evaluation.report
  }
}
