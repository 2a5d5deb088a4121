internal import Foundation
public import TupeloTraining

extension RunDirectory {
  /// Whether the network of a trainer has been evaluated at the end of a session. An evaluation.json after fewer games
  /// is that of an earlier session.
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
    let metrics = try MetricsFile(path: file(Name.metrics))
    let evaluations = RunEvaluations(metrics, trainer.configuration.evaluation, evaluation: evaluation)
    // Where no record tells, the file alone counts.
    return evaluations.games(of: evaluation).map { $0 == trainer.games } ?? true
  }
}
