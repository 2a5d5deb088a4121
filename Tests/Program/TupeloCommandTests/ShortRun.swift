import Foundation
import Testing

/// Runs of 200 games, for tests of the files of a run.
enum ShortRun {
  /// Trains a run with interim evaluations.
  ///
  /// - Returns: the path of its folder
  static func train(_ path: String, _ options: [String] = []) throws -> String {
    let result = try Program.run(
      [
        "train", "--games", "200", "--set", "evaluation.games=20", "--set", "evaluation.every_games=100", "--set",
        "evaluation.interim_games=10", "--set", "network.patterns=0123 4567", "--output", path,
      ] + options)
    #expect(result.status == 0, "\(result)")
    return path
  }

  /// The average score of the evaluation of a run.
  static func score(of run: String) throws -> Double {
    let data = try Data(contentsOf: URL(fileURLWithPath: run + "/evaluation.json"))
    return try #require((try JSONSerialization.jsonObject(with: data) as? [String: Any])?["score_mean"] as? Double)
  }

  /// Points below a million, with their thousands separated.
  static func grouped(_ score: Double) -> String {
    let whole = Int(score.rounded())
    return whole >= 1000 ? "\(whole / 1000),\(String(format: "%03d", whole % 1000))" : "\(whole)"
  }
}
