internal import Foundation
internal import TupeloTraining

/// What a run's evaluation found, as `evaluation.json` in its folder says.
public struct SweepResult: Decodable, Hashable, Sendable {
  public let games: Int
  /// In points.
  public let scoreMean: Double
  /// Half the width of the 95% interval; `nil` for a single game.
  public let scoreMargin: Double?
  /// Of play, not of training.
  public let movesPerSecond: Double

  private enum CodingKeys: String, CodingKey {
    case games
    case scoreMean = "score_mean"
    case scoreMargin = "score_margin_95"
    case movesPerSecond = "moves_per_second"
  }

  var isPlausible: Bool {
    games > 0 && (0...1e12).contains(scoreMean) && (0...1e12).contains(scoreMargin ?? 0)
      && (0...1e15).contains(movesPerSecond)
  }
}

extension SweepRun {
  /// How far a run is.
  public enum State: Hashable, Sendable {
    /// There is nothing to go on from.
    case fresh
    /// There is a checkpoint, but no evaluation yet.
    case begun
    case finished(SweepResult)
  }

  /// Looks into the run's folder.
  ///
  /// - Throws: a problem when what is there cannot be read or is of a run with other settings.
  public func state() throws(SweepError.Problem) -> State {
    let isEvaluated = exists(RunDirectory.Name.evaluation)
    guard isEvaluated || exists(RunDirectory.Name.checkpoint) else { return .fresh }
    try checkSettings()
    guard isEvaluated else { return .begun }
    let path = folder + "/" + RunDirectory.Name.evaluation
    let result: SweepResult
    do {
      result = try JSONDecoder().decode(SweepResult.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw .unreadable(path: path, reason: "it is no evaluation")
    }
    guard result.isPlausible else { throw .unreadable(path: path, reason: "what it says cannot be") }
    return .finished(result)
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + name) }

  /// What changes nothing of a run's result.
  private static func isBeside(_ key: String) -> Bool { key == "evaluation.threads" || key.hasPrefix("output.") }

  private func checkSettings() throws(SweepError.Problem) {
    let path = folder + "/" + RunDirectory.Name.configuration
    let before: RunConfiguration
    do throws(ConfigurationError) {
      before = try RunConfiguration.load(file: path, environment: [:], overrides: [])
    } catch {
      throw .unreadable(path: path, reason: error.problems[0].reason.description)
    }
    for key in ConfigurationKey.table where !Self.isBeside(key.path) {
      let (old, new) = (key.write(before), key.write(configuration))
      guard old == new else {
        throw .otherSettings(folder: folder, key: key.path, before: old ?? "unset", now: new ?? "unset")
      }
    }
  }
}
