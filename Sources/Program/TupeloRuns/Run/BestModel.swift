internal import Foundation
internal import Safetensors
internal import TupeloNetwork
internal import TupeloTraining

/// Keeps the best model of a run, by the lower end of its 95% confidence interval. So neither luck in few games nor a
/// collapsed network replaces it.
///
/// The score is stored in the model file, so that model and score are replaced together.
struct BestModel {
  private let path: String
  /// The lower end of the interval, in score points; `nil` while there is no model.
  private(set) var scoreLow: Double?
  enum Key {
    static let scoreMean = "tupelo.best.score_mean"
    static let scoreLow = "tupelo.best.score_low"
    static let evaluationGames = "tupelo.best.evaluation_games"
    static let evaluationSeed = "tupelo.best.evaluation_seed"
  }

  /// - Parameter isFresh: whether an existing file belongs to another run and is ignored
  /// - Throws: `SystemError`, `SafetensorsError` or `CheckpointError` when a resumed run has a file there that is not
  ///   such a model.
  init(_ directory: RunDirectory, isFresh: Bool) throws {
    path = directory.file(RunDirectory.Name.best)
    guard !isFresh, FileManager.default.fileExists(atPath: path) else { return }
    let file = try SafetensorsFile(path: path)
    guard let best = try BestScore(of: file) else { throw CheckpointError.badState(path: path, name: Key.scoreLow) }
    scoreLow = best.low
  }

  /// Forgets the score of a file that is gone with its folder: the next model that is evaluated takes its place.
  mutating func lost() { scoreLow = nil }

  /// Writes the model if it is the best so far.
  ///
  /// - Returns: whether it is the best
  /// - Throws: `SystemError`; the older model is still there then.
  mutating func offer(_ model: TrainedModel, _ report: EvaluationReport, of trainer: Trainer) throws -> Bool {
    let low = report.scoreMean - report.scoreMargin
    guard low.isFinite, low > scoreLow ?? -.infinity else { return false }
    let origin = ModelCard.origin(trainer.configuration, games: trainer.games, moves: trainer.moves)
    let scores = [
      Key.scoreMean: "\(report.scoreMean)", Key.scoreLow: "\(low)", Key.evaluationGames: "\(report.games)",
      Key.evaluationSeed: "\(report.seed)",
    ]
    try model.save(to: path, metadata: origin.merging(scores) { $1 })
    scoreLow = low
    return true
  }
}
