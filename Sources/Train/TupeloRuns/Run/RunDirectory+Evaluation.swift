internal import Foundation
internal import TupeloBase
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
      found = try ModelEvaluation(ofRun: path, of: trainer.configuration.catalogue)
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
  func setEvaluationAside() throws { _ = try setAside(Name.evaluation, as: Name.formerEvaluation) }

  /// Renames a file, if it is there. An earlier file of the new name is removed.
  ///
  /// - Returns: whether it was there
  /// - Throws: `RunDirectoryError.notWritable`.
  func setAside(_ name: String, as former: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: file(name)) else { return false }
    try remove(former)
    do {
      try FileManager.default.moveItem(atPath: file(name), toPath: file(former))
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: "\(name): \(Self.reason(error))")
    }
    return true
  }

  /// The error for a run that has ended before its first checkpoint, or that another program trains; `nil` where there
  /// is another run, or none.
  ///
  /// - Parameter path: the folder of the run, or its checkpoint
  /// - Throws: `RunDirectoryError.badMetadata`.
  package static func unsaved(at path: String) throws -> RunDirectoryError? {
    let checkpoint = isFolder(path) ? path + "/" + Name.checkpoint : path
    let folder = checkpoint.parentFolder
    guard checkpoint.hasSuffix("/" + Name.checkpoint), !isThere(checkpoint), isThere(folder + "/" + Name.metadata)
    else { return nil }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      guard !names.contains(where: { $0.hasPrefix("checkpoint-") }) else { return nil }
    } catch {
      // The error of reading the checkpoint says it.
      return nil
    }
    let metadata = try RunMetadata(of: folder)
    if let learner = metadata.learner { return .ofLearner(path: folder, learner: learner) }
    return .nothingSaved(path: folder, arguments: metadata.sessions.last?.arguments ?? [])
  }
}
