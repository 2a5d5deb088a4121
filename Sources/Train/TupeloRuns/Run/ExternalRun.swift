internal import Foundation
internal import TupeloBase
public import TupeloSearch
public import TupeloTraining

/// A run that another program trains, by a learner of its own: this class writes the run's folder, as `TrainingRun`
/// does for a training of this package. So `tupelo runs`, `compare`, `plot` and `serve --runs` show both alike.
/// ```swift
/// var configuration = RunConfiguration()
/// configuration.own.learner = "Residual"
/// configuration.output.directory = "runs/residual"
/// let run = try ExternalRun(configuration, arguments: [])
/// try run.log(games: 1000, moves: 120_000, values: ["rollout/score_mean": 2100, "surprise": 0.3])
/// try run.save(model)
/// let report = try run.evaluate(model)
/// try run.end(.finished)
/// ```
///
/// The program counts games and moves since the start of the run, and one thread at a time uses the run.
public final class ExternalRun {
  public let directory: RunDirectory
  public let configuration: RunConfiguration
  private let curve: CurveFiles
  private let clock = ContinuousClock()
  /// The time of the last record, moved on by the time of evaluations since then.
  private var lastTime: ContinuousClock.Instant
  private var isEnded = false

  /// Begins a run in a new folder, or continues one after its last record.
  ///
  /// - Parameters:
  ///   - configuration: the settings. `own.learner` is the name of the learner, and `output.directory` the folder;
  ///     section `own` has any other settings of the learner
  ///   - arguments: the arguments of the program, for meta.json
  ///   - isResumed: whether the folder has such a run, which continues
  /// - Throws: `ExternalRunError` for a configuration without learner or folder; `RunDirectoryError`, `MetricsError` or
  ///   `SystemError` when the folder cannot hold the run.
  public init(_ configuration: RunConfiguration, arguments: [String], isResumed: Bool = false) throws {
    guard let learner = configuration.own.learner else { throw ExternalRunError.missing(key: "own.learner") }
    guard let path = configuration.output.directory else { throw ExternalRunError.missing(key: "output.directory") }
    self.configuration = configuration
    directory = try RunDirectory.external(at: path, learner: learner, isResumed: isResumed)
    let metrics = MetricsFile(path: directory.file(RunDirectory.Name.metrics))
    let games = isThere(metrics.path) ? try metrics.last()?.games ?? 0 : 0
    // meta.json is the first file: it marks the folder as a run's own.
    try directory.begin(.current(arguments: arguments, games: games, learner: learner), configuration)
    curve = try CurveFiles(in: directory, configuration, resumingAt: games)
    lastTime = clock.now
  }

  /// The games, moves and seconds of training of the whole run at the last record; zeros before the first one.
  public var progress: (games: Int, moves: Int, seconds: Double) {
    curve.last.map { ($0.games, $0.moves, $0.seconds) } ?? (0, 0, 0)
  }

  // MARK: The learning curve

  /// Writes a record.
  ///
  /// The average length of games and the speed since the last record are added, unless `values` has them.
  ///
  /// - Parameters:
  ///   - games: the games since the start of the run, at least those of the last record, at most 2^53
  ///   - moves: the moves since the start of the run, counted like games
  ///   - seconds: the wall-clock seconds of training since the start of the run; by default the time since the last
  ///     record without that of evaluations is added to its seconds
  ///   - values: finite numbers by the tags of metrics, such as `rollout/score_mean`, or by names of your own, such as
  ///     `surprise`, whose tag becomes `own/surprise`
  /// - Throws: `ExternalRunError` for numbers and names that are not allowed: then nothing is written. `SystemError`,
  ///   `MetricsError` or `RunDirectoryError` when the folder cannot be written.
  public func log(games: Int, moves: Int, seconds: Double? = nil, values: [String: Double] = [:]) throws {
    try checkCanWrite()
    let last = progress
    let now = clock.now
    let seconds = seconds ?? last.seconds + (now - lastTime) / .seconds(1)
    let counters = [
      ("games", Double(games), Double(last.games)), ("moves", Double(moves), Double(last.moves)),
      ("seconds", seconds, last.seconds),
    ]
    for (name, value, least) in counters where !(least...Double(MetricsRecord.counterLimit)).contains(value) {
      throw ExternalRunError.badCounter(name: name, value: value, least: least)
    }
    var record = MetricsRecord(games: games, moves: moves, seconds: seconds, time: Date().timeIntervalSince1970)
    if games > last.games { record[.rolloutMovesMean] = Double(moves - last.moves) / Double(games - last.games) }
    if seconds > last.seconds { record[.movesPerSecond] = Double(moves - last.moves) / (seconds - last.seconds) }
    for (name, value) in values {
      guard value.isFinite else { throw ExternalRunError.notFinite(name: name, value: value) }
      record.values[try tag(of: name)] = value
    }
    guard record.json.utf8.count <= MetricsFile.lineLimit else { throw ExternalRunError.tooManyValues(values.count) }
    // An earlier evaluation is not that of a model that has learned more.
    try directory.setEvaluationAside()
    try curve.append(record)
    lastTime = now
  }

  /// The tag of a value in the files.
  private func tag(of name: String) throws(ExternalRunError) -> String {
    let own = name.hasPrefix(Self.ownPrefix) ? String(name.dropFirst(Self.ownPrefix.count)) : name
    if !own.contains("/") {
      guard (1...100).contains(own.utf8.count), own.utf8.allSatisfy(NameText.isFit) else { throw .badName(name) }
      return Self.ownPrefix + own
    }
    let known = Metric.table(of: configuration.catalogue).map(\.tag)
    guard known.contains(name) else { throw .unknownTag(name, nearest: Spelling.nearest(to: name, among: known)) }
    return name
  }

  private static var ownPrefix: String { "own/" }

  // MARK: The model

  /// Writes the model into the folder as `model.safetensors`, where every command that plays finds it, in place of an
  /// earlier one. The file appears whole or not at all.
  ///
  /// - Throws: `ExternalRunError` for a model of another game; `SystemError` when the disk is full, or
  ///   `RunDirectoryError`.
  public func save(_ model: TrainedModel) throws {
    try checkCanWrite()
    try checkGame(of: model)
    try curve.synchronize()
    let progress = progress
    try model.save(
      to: directory.file(RunDirectory.Name.model),
      metadata: ModelOrigin.metadata(configuration, games: progress.games, moves: progress.moves))
  }

  // MARK: Evaluations

  /// Evaluates a model as the configuration says: `evaluation.games` games at the end, or `evaluation.interim_games`
  /// during training, to the depth `evaluation.plies`.
  ///
  /// The result is recorded after the games of the last record. At the end of a session, evaluation.json and the
  /// records of the best, median and worst game are written, too.
  ///
  /// - Parameters:
  ///   - stage: the end of the session, or a time during training
  ///   - cancellation: once it is set, the evaluation ends, between moves or in the middle of a search
  ///   - onGame: called after each game with the number of finished games, from any thread
  /// - Returns: the report; `nil` when the evaluation was cancelled, and then nothing was recorded
  /// - Throws: `ExternalRunError` for a model of another game or board, and when no games are configured; the errors of
  ///   writing.
  public func evaluate(
    _ model: TrainedModel, as stage: EvaluationStage = .final,
    cancellation: SearchCancellation = SearchCancellation(), onGame: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> EvaluationReport? {
    try play(model, as: stage, cancellation: cancellation, onGame: onGame)?.report
  }

  /// Evaluates a model, as `evaluate` does.
  ///
  /// - Returns: the report, and the results of game 0, 1, 2, ...; `nil` when the evaluation was cancelled
  package func play(
    _ model: TrainedModel, as stage: EvaluationStage, cancellation: SearchCancellation,
    onGame: @escaping @Sendable (Int) -> Void
  ) throws -> (report: EvaluationReport, results: [GameResult])? {
    try checkCanWrite()
    try checkGame(of: model)
    if let board = model.base as? any BoardModel, board.shape != configuration.rules.shape {
      throw ExternalRunError.otherBoard("\(board.shape)", expected: "\(configuration.rules.shape)")
    }
    let series = configuration.series(of: stage)
    guard series.games > 0 else { throw ExternalRunError.missing(key: "evaluation.games") }
    let start = clock.now
    defer { lastTime += clock.now - start }
    let contender = configuration.contender(model)
    guard stage == .final else {
      let played = try series.play(cancellation: cancellation, onGame: onGame, makePlayer: contender.makePlayer)
      guard let played, played.report.games == series.games else { return nil }
      try add(played.report, as: stage)
      return played
    }
    try directory.setEvaluationAside()
    let evaluation = try SessionEvaluation(
      of: contender, model, configuration, cancellation: cancellation, onGame: onGame)
    try evaluation?.write(to: directory) { try add($0, as: stage) }
    return evaluation.map { ($0.report, $0.results) }
  }

  /// Records an evaluation whose games the program itself has played, as for a model that only it can play.
  ///
  /// - Parameters:
  ///   - report: the results
  ///   - agent: the name of the player: letters, digits, spaces and `( ) : , . - _ =`
  ///   - stage: the end of the session, or a time during training
  /// - Throws: `ExternalRunError` for a report of another game or a name that is not allowed; the errors of writing.
  public func add(_ report: EvaluationReport, by agent: String, as stage: EvaluationStage = .final) throws {
    try checkCanWrite()
    guard report.game == configuration.game else { throw ExternalRunError.otherGame(report.game, configuration.game) }
    guard ModelEvaluation.isAgent(agent) else { throw ExternalRunError.badName(agent) }
    lastTime = min(clock.now, lastTime + .seconds(report.seconds))
    guard stage == .final else { return try add(report, as: stage) }
    try directory.setEvaluationAside()
    let subject = EvaluationSubject(
      agent: agent, rules: configuration.gameRules, fingerprint: nil, model: nil, checksum: nil)
    try SessionEvaluation(report, of: subject).write(to: directory) { try add($0, as: stage) }
  }

  private func add(_ report: EvaluationReport, as stage: EvaluationStage) throws {
    let last = progress
    var record = MetricsRecord(
      games: last.games, moves: last.moves, seconds: last.seconds, time: Date().timeIntervalSince1970)
    record.add(report, plies: configuration.evaluation.plies, as: stage)
    try curve.append(record, report, as: stage)
    try curve.synchronize()
  }

  // MARK: The end

  /// Ends the session, and writes into meta.json how it ended. A run that is not ended so looks like one that was
  /// killed; it can be resumed, too.
  ///
  /// - Throws: `ExternalRunError.ended` the second time; `SystemError` or `RunDirectoryError`.
  public func end(_ outcome: Outcome) throws {
    try checkCanWrite()
    try curve.synchronize()
    try directory.end(with: outcome)
    isEnded = true
  }

  private func checkCanWrite() throws {
    guard !isEnded else { throw ExternalRunError.ended(path: directory.path) }
    try directory.checkHeld()
  }

  private func checkGame(of model: TrainedModel) throws(ExternalRunError) {
    let game = model.description.game
    guard game == configuration.game else { throw .otherGame(game, configuration.game) }
  }
}
