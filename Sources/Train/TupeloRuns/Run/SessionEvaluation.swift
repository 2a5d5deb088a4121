internal import TupeloSearch
internal import TupeloTraining

/// The evaluation of a model at the end of a session, with records of its best, median and worst game.
struct SessionEvaluation {
  let report: EvaluationReport
  let subject: EvaluationSubject
  /// The results of the games; empty where somebody else has played them.
  private(set) var results: [GameResult] = []
  /// The names and the texts of the records.
  private(set) var records: [(name: String, text: String)] = []

  /// - Parameters report, subject: the report of games that somebody else has played, and who has played them
  init(_ report: EvaluationReport, of subject: EvaluationSubject) { (self.report, self.subject) = (report, subject) }

  /// Plays the games that a configuration asks for.
  ///
  /// - Parameters:
  ///   - contender: the player
  ///   - model: its model
  ///   - onGame: called after each game with the number of finished games, from any thread
  /// - Returns: `nil` when it was cancelled before its end
  /// - Throws: the errors of making a player.
  init?(
    of contender: Contender, _ model: TrainedModel?, _ configuration: RunConfiguration,
    cancellation: SearchCancellation, onGame: @escaping @Sendable (Int) -> Void
  ) throws {
    let series = configuration.series(of: .final)
    let played = try series.play(cancellation: cancellation, onGame: onGame, makePlayer: contender.makePlayer)
    guard let (report, results) = played, report.games == series.games else { return nil }
    let identity = model?.identity
    self.init(
      report,
      of: EvaluationSubject(
        agent: contender.name, rules: configuration.gameRules, fingerprint: model?.description.fingerprint,
        model: identity, checksum: nil))
    self.results = results
    for (kind, game) in report.records.named {
      var player = try contender.makePlayer()
      let record = player.record(
        of: game, seed: series.seed, name: contender.name, model: identity, cancellation: cancellation)
      guard let record else { return nil }
      records.append(("game-\(kind).txt", record))
    }
  }

  /// Writes the result into the folder of a run.
  ///
  /// - Parameter record: records the evaluation in the learning curve
  /// - Throws: `RunDirectoryError`; the errors of `record`.
  func write(to directory: RunDirectory, record: (EvaluationReport) throws -> Void) throws {
    for record in records { try directory.write(record.text, to: record.name) }
    try record(report)
    // evaluation.json says that the run is evaluated, so the records of the evaluation are written before it.
    try directory.write(report.json(of: subject) + "\n", to: RunDirectory.Name.evaluation)
    try directory.remove(RunDirectory.Name.formerEvaluation)
  }
}

extension RunConfiguration {
  /// The games of an evaluation of a run.
  func series(of stage: EvaluationStage) -> GameSeries {
    let (games, seed) =
      stage == .final ? (evaluation.games, evaluation.seed) : (evaluation.interimGames, evaluation.interimSeed)
    return GameSeries(gameRules, games: games, seed: seed, threads: evaluation.threads)
  }
}
