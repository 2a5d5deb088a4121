internal import Foundation
public import TupeloTraining

extension RunDirectory {
  /// Whether the network of a trainer has been evaluated at the end of a session. An evaluation.json after fewer games
  /// belongs to an earlier session. An evaluation.json without a record in the metrics does not count: the run was
  /// killed before it had written both.
  ///
  /// - Throws: `MetricsError` for damaged records
  public func hasEvaluation(of trainer: Trainer) throws -> Bool {
    let found: ModelEvaluation?
    do {
      found = try ModelEvaluation(ofRun: path)
    } catch {
      // The next evaluation takes the place of a damaged one.
      return false
    }
    guard let evaluation = found else { return false }
    guard FileManager.default.fileExists(atPath: file(Name.metrics)) else { return true }
    let metrics = MetricsFile(path: file(Name.metrics))
    let evaluations = try RunEvaluations(metrics, trainer.configuration.evaluation, evaluation: evaluation)
    return evaluations.games(of: evaluation) == trainer.games
  }

  /// Renames the evaluation.json of an earlier evaluation, before training goes on and before another evaluation. So
  /// the earlier result stays until there is a new one, and the two are not confused.
  ///
  /// - Throws: `RunDirectoryError.notWritable`.
  func setEvaluationAside() throws {
    guard FileManager.default.fileExists(atPath: file(Name.evaluation)) else { return }
    try remove(Name.formerEvaluation)
    do {
      try FileManager.default.moveItem(atPath: file(Name.evaluation), toPath: file(Name.formerEvaluation))
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: "\(Name.evaluation): \(Self.reason(error))")
    }
  }
}
