import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

/// Evaluations during training and after it are distinguished.
@Suite final class EvaluationStageTests {
  private let folder = TemporaryFile.path("stages")

  deinit { TemporaryFile.remove(folder) }

  private func trained(_ name: String, games: Int) throws -> RunFolder {
    let folder = RunFolder(folder + "/" + name)
    let configuration = folder.configuration(games: games) {
      $0.training.reportGames = 100
      ($0.evaluation.games, $0.evaluation.everyGames, $0.evaluation.interimGames) = (30, 100, 10)
      ($0.evaluation.threads, $0.averaging.everyGames) = (2, 1000)
    }
    let run = try folder.start(configuration)
    try run.train(shouldStop: { false })
    _ = try run.evaluate()
    return folder
  }

  private func resumed(_ folder: RunFolder, games: Int) throws {
    let run = try folder.resume { $0.training.games = games }
    #expect(try run.directory.hasEvaluation(of: run.trainer))
    try run.train(shouldStop: { false })
    #expect(try !run.directory.hasEvaluation(of: run.trainer))
    _ = try run.evaluate()
    #expect(try run.directory.hasEvaluation(of: run.trainer))
  }

  /// An evaluation after fewer games is set aside when training goes on, and is not that of the run where it stands.
  @Test func anEvaluationCountsForItsGames() throws {
    let folder = try trained("earlier", games: 100)
    let file = URL(fileURLWithPath: folder.path + "/evaluation.json")
    let earlier = try Data(contentsOf: file)
    let run = try folder.resume { $0.training.games = 200 }
    try run.train(shouldStop: { false })
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try earlier.write(to: file)
    #expect(try !run.directory.hasEvaluation(of: run.trainer))
  }

  /// The interim curve of a run of two sessions equals that of a run of one session, which is the same run.
  @Test(.slow) func aResumedRunHasTheCurveOfOneThatWasNotStopped() throws {
    let first = try trained("parts", games: 200)
    try resumed(first, games: 300)
    let (wholeRun, shortRun) = (try trained("whole", games: 300), try trained("short", games: 200))
    let (parts, whole, short) = (first.path, wholeRun.path, shortRun.path)
    func records(_ path: String, _ stage: EvaluationStage) throws -> [Int: RunScore] {
      try Dictionary(
        MetricsFile(path: path + "/metrics.jsonl").records.compactMap { record in
          record.evaluation(stage).map { (record.games, $0) }
        },
        uniquingKeysWith: { first, _ in
          Issue.record("two evaluations of a stage after the same games")
          return first
        })
    }
    let interim = try records(parts, .interim)
    #expect(Set(interim.keys) == [100, 200, 300] && interim.values.allSatisfy { $0.games == 10 })
    #expect(try interim == records(whole, .interim))
    let final = try records(parts, .final)
    #expect(Set(final.keys) == [200, 300] && final.values.allSatisfy { $0.games == 30 })
    #expect(try final[200] == records(short, .final)[200] && final[300] == records(whole, .final)[300])
    func curve(_ path: String, _ metric: String) throws -> LearningCurve {
      try LearningCurve(name: "", file: MetricsFile(path: path + "/metrics.jsonl"), metric: metric, axis: .games)
    }
    #expect(try curve(parts, "eval/score_mean").points == curve(whole, "eval/score_mean").points)
    #expect(try curve(parts, "final/score_mean").points.map(\.x) == [200, 300])

    // Two runs that are equal at 200 games are equal in the comparison by interim games.
    let scores = try RunComparison(parts, short).scores
    #expect(scores.map(\.kind) == [.evaluation, .interim(games: 200)])
    let same = try #require(scores.last)
    #expect(same.difference == 0 && same.first == interim[200] && same.first.games == 10 && same.second.games == 10)
    let json = try JSONSerialization.jsonObject(with: Data(RunComparison(parts, short).json.utf8)) as? [String: Any]
    let rows = (json?["scores"] as? [[String: Any]])?.compactMap { $0["values"] as? [[String: Any]] }
    #expect(rows?.map { $0.map { $0["games"] as? Int } } == [[30, 30], [10, 10]])
    withExtendedLifetime([first, wholeRun, shortRun]) {}
  }

  /// Both stages have their own values and histograms in TensorBoard.
  @Test func eventFilesTellThemApart() throws {
    let run = try trained("events", games: 100)
    let bytes = try run.bytes(#require(run.names().first { $0.hasPrefix("events.out.tfevents.") }))
    for tag in ["eval/scores", "final/scores", "eval/score_mean", "final/score_mean", "eval/games", "final/games"] {
      let count = [UInt8](bytes).split(separator: Array(tag.utf8), omittingEmptySubsequences: false).count - 1
      #expect(count == 1, "\(tag): \(count)")
    }
  }

  // MARK: Records of earlier versions

  private func old(_ lines: String, every: Int = 100, final: Double? = nil, name: String = "old") throws -> String {
    let path = folder + "/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    func write(_ text: String, _ file: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + file))
    }
    try write("evaluation: {every_games: \(every), interim_games: 10, games: 30}", "config.yaml")
    try write(lines, "metrics.jsonl")
    if let final {
      try write(
        #"{"agent": "expectimax(plies: 1)", "games": 30, "seed": 7, "score_mean": \#(final), "#
          + #""score_margin_95": 5, "score_max": 99, "reach_rates": {}}"#, "evaluation.json")
    }
    return path
  }

  private func line(_ games: Int, _ mean: Double) -> String {
    #"{"games":\#(games),"moves":\#(games),"seconds":1,"time":0,"eval/score_mean":\#(mean),"#
      + #""eval/score_low":\#(mean - 9),"eval/score_high":\#(mean + 9)}"# + "\n"
  }

  /// The later of two evaluations after the same games is the final one; so is the one in evaluation.json.
  @Test func recordsWithoutTheMarkAreJudged() throws {
    let path = try old(line(100, 50) + line(200, 60) + line(200, 66) + line(250, 71), final: 71)
    let file = MetricsFile(path: path + "/metrics.jsonl")
    let curve = try LearningCurve(name: "", file: file, metric: "eval/score_mean", axis: .games)
    #expect(curve.points.map(\.y) == [50, 60, 71] && curve.points[1].band == 51...69)
    #expect(try LearningCurve(name: "", file: file, metric: "final/score_mean", axis: .games).points.map(\.y) == [66])
    let other = try old(line(100, 52) + line(200, 64), final: nil, name: "other")
    let scores = try RunComparison(path, other).scores
    #expect(scores.map(\.kind) == [.interim(games: 200)])
    #expect(scores[0].first == RunScore(mean: 60, margin: 9, kind: EvaluationKind(games: 10)))
    #expect(scores[0].second.mean == 64)
    // Without evaluations during training, no record can be an interim evaluation.
    let alone = try old(line(200, 61), every: 0, final: nil, name: "alone")
    #expect(try RunComparison(alone, other).scores.isEmpty)
  }
}
