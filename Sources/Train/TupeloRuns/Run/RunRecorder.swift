internal import Foundation
internal import TupeloNetwork
internal import TupeloTraining

/// Collects the progress of a run into records of metrics.jsonl and the event file.
struct RunRecorder {
  private var files: CurveFiles
  private let trainer: Trainer
  private var window = TrainingProgress()
  /// Seconds of training alone since the start of the run.
  private var seconds: Double
  private var nextDiagnosis = 0.0

  /// Seconds of training between two passes over all weights. A pass takes a tenth of a second or more.
  private static var diagnosisSeconds: Double { 60 }

  /// Opens the files and cuts off records of later games. Call it after everything else that can fail before training
  /// starts.
  init(_ directory: RunDirectory, trainer: Trainer) throws {
    files = try CurveFiles(in: directory, trainer.configuration, resumingAt: trainer.games)
    self.trainer = trainer
    seconds = files.last?.seconds ?? 0
  }

  /// Opens new files after the folder of the run was made again or exchanged.
  mutating func reopen(in directory: RunDirectory) throws {
    files = try CurveFiles(in: directory, trainer.configuration, resumingAt: trainer.games)
  }

  /// Whether the present network has been evaluated during training, in this session or an earlier one.
  var isEvaluated: Bool { files.isEvaluated && files.last?.games == trainer.games }

  /// Adds the progress since the last call.
  mutating func add(_ round: TrainingProgress) { window.add(round) }

  /// Writes everything that has not been written yet.
  mutating func finish(evaluation: EvaluationReport? = nil, as stage: EvaluationStage = .interim) throws {
    nextDiagnosis = 0
    if evaluation != nil { try flush(evaluation: evaluation, as: stage) }
    try keepUp()
  }

  /// Writes the rest of the progress, so that the records reach as far as a checkpoint that is written next: if the
  /// process is killed later, the next one resumes from both.
  mutating func keepUp() throws {
    if window.games > 0 { try flush(evaluation: nil) }
    try files.synchronize()
  }

  /// Writes a record of the progress since the last record.
  ///
  /// - Parameters:
  ///   - evaluation: the evaluation of the present network, if there was one
  ///   - stage: when it was made
  mutating func flush(evaluation: EvaluationReport?, as stage: EvaluationStage = .interim) throws {
    seconds += window.seconds
    var record = MetricsRecord(
      games: trainer.games, moves: trainer.moves, seconds: seconds, time: Date().timeIntervalSince1970)
    record.add(window, of: trainer.configuration.game)
    let isLast = trainer.games >= trainer.configuration.training.games
    if window.games > 0, isLast || seconds >= nextDiagnosis {
      record.add(trainer.diagnostics(), updateNorm: trainer.updateNorm())
      for (name, value) in trainer.scalars() { record.values["own/\(name)"] = value }
      nextDiagnosis = seconds + Self.diagnosisSeconds
    }
    if let evaluation { record.add(evaluation, plies: trainer.configuration.evaluation.plies, as: stage) }
    window = TrainingProgress()
    try files.append(record, evaluation, as: stage)
  }
}

extension MetricsRecord {
  /// Adds statistics of all weights.
  mutating func add(_ diagnostics: [WeightDiagnostics], updateNorm: Double?) {
    self[.weightNorm] = diagnostics.reduce(0) { $0 + $1.norm * $1.norm }.squareRoot()
    let visited = diagnostics.map { $0.visitedShare * Double($0.table.size) }
    let count = visited.reduce(0, +)
    self[.weightsVisited] = count
    let steps = zip(diagnostics, visited).compactMap { table, visited in table.meanStepSize.map { $0 * visited } }
    if steps.count == diagnostics.count, count > 0 { self[.stepSize] = steps.reduce(0, +) / count }
    if let updateNorm { self[.updateNorm] = updateNorm }
  }
}
