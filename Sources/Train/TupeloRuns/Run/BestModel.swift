internal import Foundation
internal import Safetensors
internal import TupeloNetwork
internal import TupeloTraining

/// Keeps the best model of a run, by the lower end of its 95% confidence interval. So neither luck in few games nor a
/// collapsed network replaces it.
///
/// The score is stored in the model file, so that model and score are replaced together. Scores of another kind (games,
/// seed or plies were changed when the run was resumed) cannot be compared: the next model that is evaluated becomes
/// the best one, and the former one stays as `best.safetensors.old`.
struct BestModel {
  private let directory: RunDirectory
  /// The best score so far; `nil` while there is no model.
  private var best: BestScore?
  enum Key {
    static let scoreMean = "tupelo.best.score_mean"
    static let scoreLow = "tupelo.best.score_low"
    static let evaluationGames = "tupelo.best.evaluation_games"
    static let evaluationPlies = "tupelo.best.evaluation_plies"
    static let evaluationSeed = "tupelo.best.evaluation_seed"
  }

  /// - Parameter isFresh: whether an existing file belongs to another run and is ignored
  /// - Throws: `SystemError`, `SafetensorsError` or `CheckpointError` when a resumed run has a file there that is not
  ///   such a model.
  init(_ directory: RunDirectory, isFresh: Bool) throws {
    self.directory = directory
    let path = directory.file(RunDirectory.Name.best)
    guard !isFresh, FileManager.default.fileExists(atPath: path) else { return }
    let file = try SafetensorsFile(path: path)
    guard let best = try BestScore(of: file) else { throw CheckpointError.badState(path: path, name: Key.scoreLow) }
    self.best = best
  }

  /// Forgets the score of a file that is gone with its folder: the next model that is evaluated takes its place.
  mutating func lost() { best = nil }

  /// Writes the model if it is the best so far.
  ///
  /// - Returns: whether it is the best
  /// - Throws: `SystemError` or `RunDirectoryError`; the older model is still there then.
  mutating func offer(_ model: TrainedModel, _ report: EvaluationReport, of trainer: Trainer) throws -> Bool {
    let low = report.scoreMean - report.scoreMargin
    let plies = trainer.configuration.evaluation.plies
    let kind = EvaluationKind(games: report.games, plies: plies, seed: Double(report.seed))
    let rival = best.flatMap { $0.kind == kind ? $0 : nil }
    guard low.isFinite, low > rival?.low ?? -.infinity else { return false }
    let origin = ModelOrigin.metadata(
      trainer.configuration, games: trainer.games, moves: trainer.moves, roundedAt: trainer.roundedAt)
    let scores = [
      Key.scoreMean: "\(report.scoreMean)", Key.scoreLow: "\(low)", Key.evaluationGames: "\(report.games)",
      Key.evaluationPlies: "\(plies)", Key.evaluationSeed: "\(report.seed)",
    ]
    if best != nil, rival == nil {
      _ = try directory.setAside(RunDirectory.Name.best, as: RunDirectory.Name.formerBest)
    }
    try model.save(to: directory.file(RunDirectory.Name.best), metadata: origin.merging(scores) { $1 })
    best = BestScore(mean: report.scoreMean, low: low, kind: kind, trainingGames: trainer.games)
    return true
  }
}
