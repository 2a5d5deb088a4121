internal import Foundation
internal import TupeloRuns
internal import TupeloTraining

/// The result of a run's evaluation, from `evaluation.json` in its folder.
public struct SweepResult: Codable, Hashable, Sendable {
  public let games: Int
  /// The average score, in score points.
  public let scoreMean: Double
  /// Half the width of the mean's 95% confidence interval, in score points; `nil` for a single game.
  public let scoreMargin: Double?
  /// Moves per second in the evaluation, not in training; `nil` when it is unknown.
  public let movesPerSecond: Double?

  private enum CodingKeys: String, CodingKey {
    case games
    case scoreMean = "score_mean"
    case scoreMargin = "score_margin_95"
    case movesPerSecond = "moves_per_second"
  }

  var isPlausible: Bool {
    games > 0 && (0...1e12).contains(scoreMean) && (0...1e12).contains(scoreMargin ?? 0)
      && (0...1e15).contains(movesPerSecond ?? 0)
  }
}

extension SweepRun {
  /// The state of a run.
  public enum State: Hashable, Sendable {
    /// There is nothing to resume from.
    case fresh
    /// There is a checkpoint, and the run continues from it.
    case begun
    case finished(SweepResult)
  }

  /// Reads the state from the run's folder.
  ///
  /// - Throws: a problem when the folder cannot be read or belongs to a run with other settings.
  public func state() throws(SweepError.Problem) -> State {
    let isEvaluated = exists(RunDirectory.Name.evaluation)
    guard isEvaluated || exists(RunDirectory.Name.checkpoint) else { return .fresh }
    try checkSettings()
    guard isEvaluated else { return .begun }
    // Without records, the evaluation is all that is known.
    if let last = lastRecord {
      let isEnd = last.games >= configuration.training.games || hasStoppedEarly
      guard isEnd, last.evaluation(.final) != nil else { return .begun }
    }
    return .finished(try result())
  }

  /// Whether settings that say when the run is good enough have ended its last session.
  private var hasStoppedEarly: Bool {
    do throws(RunDirectoryError) {
      return try RunMetadata(of: folder).sessions.last?.ending == Outcome.stoppedWord
    } catch {
      // It has not begun, or the next session reports the damage.
      return false
    }
  }

  /// The number of games in the last whole record of the run's metrics; 0 when there is none.
  package var recordedGames: Int { lastRecord?.games ?? 0 }

  /// The last whole record of the run's metrics.
  private var lastRecord: MetricsRecord? {
    for line in tail(of: MetricsFile.name, limit: MetricsFile.lineLimit).split(separator: "\n").reversed() {
      do throws(MetricsError.LineProblem) {
        return try MetricsRecord(line: Array(line.utf8)[...], tags: nil)
      } catch {
        continue
      }
    }
    return nil
  }

  /// The last bytes of a file in the run's folder, after `start`; empty when it cannot be read.
  package func tail(of name: String, from start: Int = 0, limit: Int) -> String {
    do {
      let file = try FileHandle(forReadingFrom: fileURL(folder + "/" + name))
      let end = Int(try file.seekToEnd())
      try file.seek(toOffset: UInt64(max(start, end - limit)))
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    } catch {
      return ""
    }
  }

  /// The evaluation.json of the run.
  private func result() throws(SweepError.Problem) -> SweepResult {
    let path = folder + "/" + RunDirectory.Name.evaluation
    let result: SweepResult
    do {
      result = try JSONDecoder().decode(SweepResult.self, from: Data(contentsOf: fileURL(path)))
    } catch {
      throw .unreadable(path: path, reason: "it is not an evaluation")
    }
    guard result.isPlausible else { throw .unreadable(path: path, reason: "its values are not possible") }
    return result
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + name) }

  /// Whether a key does not change a run's result.
  static func isBeside(_ key: String) -> Bool {
    [ConfigurationKey.evaluationThreads.path, ConfigurationKey.minutes.path].contains(key) || key.hasPrefix("output.")
  }

  /// The configuration of the run's last session.
  private func before() throws(SweepError.Problem) -> RunConfiguration {
    let path = folder + "/" + RunDirectory.Name.configuration
    do throws(ConfigurationError) {
      return try RunConfiguration.load(file: path, environment: [:], overrides: [], of: .program)
    } catch {
      throw .unreadable(path: path, reason: error.problems[0].reason.description)
    }
  }

  /// The settings without influence on the result that have changed since the run's last session, as `key=value`. The
  /// number of evaluation threads counts if it was said, because a sweep divides the cores.
  var changedSettings: [String] {
    do throws(SweepError.Problem) {
      let before = try before()
      var own: Set = [ConfigurationKey.directory.path, ConfigurationKey.onCheckpoint.path]
      let threads = ConfigurationKey.evaluationThreads.path
      if !says(threads) { own.insert(threads) }
      return ConfigurationKeys.of([configuration]).all.filter { Self.isBeside($0.path) && !own.contains($0.path) }
        .filter { $0.shown(before) != $0.shown(configuration) }.map { "\($0.path)=\($0.shown(configuration))" }
    } catch {
      // `state` reports a configuration that cannot be read.
      return []
    }
  }

  private func checkSettings() throws(SweepError.Problem) {
    let before = try before()
    // A program with parts of its own writes which they are, and the defaults of their settings.
    let isFilledIn = { (key: ConfigurationKey) in
      key.isOwn && key.write(configuration) == nil
        || key.path == ConfigurationKey.stepSize.path && before.own.rule != nil
    }
    for key in ConfigurationKeys.of([before, configuration]).all where !Self.isBeside(key.path) && !isFilledIn(key) {
      let (old, new) = (key.write(before), key.write(configuration))
      guard old == new else {
        throw .otherSettings(folder: folder, key: key.path, before: old ?? "unset", now: new ?? "unset")
      }
    }
  }
}
