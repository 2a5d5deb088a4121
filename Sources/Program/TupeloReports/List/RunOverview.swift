internal import Foundation
public import TupeloRuns
public import TupeloTraining

/// The main facts of a run: its progress, its score and its settings.
public struct RunOverview: Sendable {
  /// The path of its folder.
  public let path: String
  /// The path below the folder that was searched; the last part of the path for that folder itself.
  public let name: String
  public let game: GameKind
  /// The games that it has learned from.
  public let games: Int
  /// The newest evaluation; `nil` where there is none.
  public let score: Score?
  /// The score of the best model so far; `nil` without one.
  public let best: BestScore?
  let configuration: RunConfiguration

  /// A score of the run.
  public struct Score: Hashable, Sendable {
    public let stage: EvaluationStage
    public let value: RunScore
    /// The training games after which it was made; `nil` when no record has the number.
    public let games: Int?
  }

  /// Reads a run.
  ///
  /// - Throws: `RunListError`, `MetricsError`, `ConfigurationError`, `ModelCardError`, `SystemError`,
  ///   `SafetensorsError` or `CheckpointError`, which name the file
  init(path: String, name: String) throws {
    guard FileManager.default.fileExists(atPath: path + "/" + RunDirectory.Name.configuration) else {
      throw RunListError.noConfiguration(path: path)
    }
    let run = try PlotRun(path: path)
    configuration = try run.configuration()
    (self.path, self.name, game) = (path, name, configuration.game)
    games = try run.file.last()?.games ?? 0
    let evaluation = try ModelEvaluation(ofRun: path, of: .program)
    let all = try RunEvaluations(run.file, configuration.evaluation, evaluation: evaluation)
    score = Self.newest(all, evaluation)
    best = try BestScore(ofRun: path)
  }

  /// The evaluation after most training games. If two followed the same number of games, the final one.
  private static func newest(_ all: RunEvaluations, _ evaluation: ModelEvaluation?) -> Score? {
    let interim = all.interim.max { $0.key < $1.key }
    if let final = all.final.max(by: { $0.key < $1.key }), final.key >= interim?.key ?? 0 {
      // The file has the interval and the kind, even when the record of an earlier version does not.
      let value = evaluation?.scoreMean == final.value.mean ? evaluation?.runScore ?? final.value : final.value
      return Score(stage: .final, value: value, games: final.key)
    }
    if let evaluation, all.games(of: evaluation) == nil {
      return Score(stage: .final, value: evaluation.runScore, games: nil)
    }
    return interim.map { Score(stage: .interim, value: $0.value, games: $0.key) }
  }

  /// The value of a setting as YAML; `nil` where it has no effect in this run.
  public func value(of key: String) -> String? { configuration.keys.named(key)?.write(configuration) }

  /// The value of a setting for a table: patterns that have the name of a layout, such as 4x6, by this name.
  package func shortValue(of key: String) -> String? {
    key == "network.patterns" ? configuration.layoutName ?? value(of: key) : value(of: key)
  }

  /// The name of the run's configuration.
  public var configurationName: String { configuration.name }
}

/// Why runs cannot be listed.
public enum RunListError: Error, Hashable, Sendable {
  case noFolder(path: String)
  case unreadable(path: String, reason: String)
  /// Metrics without the configuration that a run leaves beside them.
  case noConfiguration(path: String)
}

extension RunListError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFolder(let path): "\(path): there is no such folder: name the folder of your runs"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason): check its permissions"
    case .noConfiguration(let path):
      "\(path): has \(MetricsFile.name) and no \(RunDirectory.Name.configuration): put the run's own file back, or "
        + "move the folder elsewhere"
    }
  }
}
