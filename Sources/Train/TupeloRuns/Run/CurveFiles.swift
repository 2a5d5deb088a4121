internal import Foundation
internal import TupeloTraining

/// The learning curve of a run in its folder: metrics.jsonl, and an event file with the same records.
struct CurveFiles {
  private let metrics: MetricsWriter
  private let events: EventFileWriter

  /// Opens the files, cuts off records of later games, and gives TensorBoard the settings of the run.
  ///
  /// - Parameter games: the number of games so far: 0 for a fresh run
  /// - Throws: `SystemError` or `MetricsError` that names the file.
  init(in directory: RunDirectory, _ configuration: RunConfiguration, resumingAt games: Int) throws {
    let time = Date().timeIntervalSince1970
    metrics = try MetricsWriter(path: directory.file(RunDirectory.Name.metrics), resumingAt: games)
    events = try EventFileWriter(folder: directory.path, resumingAt: games, time: time)
    try events.append(Hyperparameters(configuration), games: games, time: time)
  }

  /// The last record, from this session or an earlier one.
  var last: MetricsRecord? { metrics.last }

  /// Whether an evaluation during training was made after the games of the last record.
  var isEvaluated: Bool { metrics.isEvaluated }

  /// Appends a record to both files.
  ///
  /// - Parameters:
  ///   - evaluation: the evaluation in the record, whose scores become a histogram in the event file
  ///   - stage: when it was made
  /// - Throws: `SystemError` or `MetricsError` that names the file.
  func append(_ record: MetricsRecord, _ evaluation: EvaluationReport? = nil, as stage: EvaluationStage = .interim)
    throws
  {
    try metrics.append(record)
    try events.append(record)
    if let evaluation {
      try events.append(evaluation.scores, tag: stage.histogramTag, games: record.games, time: record.time)
    }
  }

  /// Waits until all records are on the disk.
  func synchronize() throws {
    try metrics.synchronize()
    try events.synchronize()
  }
}
