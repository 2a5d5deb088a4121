internal import Foundation
public import Safetensors
internal import TupeloNetwork
public import TupeloTraining

/// The score in a run's `best.safetensors`: the score of the evaluation by which the model was kept.
public struct BestScore: Hashable, Sendable {
  /// The average score, in score points or Sets.
  public let mean: Double
  /// The lower end of its 95% interval, by which the best model is chosen.
  public let low: Double
  /// The games, search depth and seed of the evaluation, as far as the file says them.
  public let kind: EvaluationKind
  /// The number of evaluation games; `nil` where the file does not say it.
  public var games: Int? { kind.games }
  /// The training games after which the model was kept; `nil` where the file does not say it.
  public let trainingGames: Int?

  init(mean: Double, low: Double, kind: EvaluationKind, trainingGames: Int?) {
    (self.mean, self.low, self.kind, self.trainingGames) = (mean, low, kind, trainingGames)
  }

  /// Reads the score from the metadata of a model file.
  ///
  /// - Returns: `nil` for a file that carries no such score.
  /// - Throws: `CheckpointError.badState` that names a key whose value cannot be.
  public init?(of file: SafetensorsFile) throws(CheckpointError) {
    typealias Key = BestModel.Key
    guard file.metadata[Key.scoreLow] != nil else { return nil }
    func number(_ key: String) throws(CheckpointError) -> Double {
      guard let value = file.metadata[key].flatMap({ Double($0) }), value.isFinite else {
        throw CheckpointError.badState(path: file.path, name: key)
      }
      return value
    }
    func count(_ key: String) throws(CheckpointError) -> Int? {
      guard let text = file.metadata[key] else { return nil }
      guard let count = Int(text), count >= 0 else { throw CheckpointError.badState(path: file.path, name: key) }
      return count
    }
    low = try number(Key.scoreLow)
    mean = file.metadata[Key.scoreMean] == nil ? low : try number(Key.scoreMean)
    kind = EvaluationKind(
      games: try count(Key.evaluationGames), plies: try count(Key.evaluationPlies),
      seed: file.metadata[Key.evaluationSeed] == nil ? nil : try number(Key.evaluationSeed))
    trainingGames = try count(ModelOrigin.Key.games)
  }

  /// The best model in a run's folder; `nil` where there is none.
  ///
  /// - Throws: `SystemError`, `SafetensorsError` or `CheckpointError`
  package init?(ofRun folder: String) throws {
    let path = (folder as NSString).appendingPathComponent(RunDirectory.Name.best)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    try self.init(of: SafetensorsFile(path: path))
  }

  /// The score with its margin and both numbers of games, such as `29,703 ± 3,043 in 100 games, after 2,000 games of
  /// training`.
  public func text(of game: GameKind) -> String {
    game.text(ofMean: mean, margin: mean - low)
      + (games.map { " in \(NumberText.counted($0, "game"))" } ?? "")
      + (kind.plies.map { $0 > 1 ? " at \($0) plies" : "" } ?? "")
      + (trainingGames.map { ", after \(NumberText.counted($0, "game")) of training" } ?? "")
  }
}
