import Foundation
import TestSupport
import Testing
import TupeloNetwork
import TupeloRuns
import TupeloTraining

/// Evaluations during training and after it are distinguished.
@Suite final class EvaluationStageTests {
  private let folder = TemporaryFile.path("stages")

  deinit { TemporaryFile.remove(folder) }

  private func configuration(_ name: String, games: Int) throws -> RunConfiguration {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(patterns: ["0123", "4567"].map { try TuplePattern(text: $0) })
    configuration.training.games = games
    configuration.training.reportGames = 100
    configuration.evaluation.games = 30
    configuration.evaluation.everyGames = 100
    configuration.evaluation.interimGames = 10
    configuration.evaluation.threads = 2
    configuration.output.directory = folder + "/" + name
    return configuration
  }

  private func trained(_ name: String, games: Int) throws -> String {
    let configuration = try configuration(name, games: games)
    let directory = try RunDirectory.create(for: configuration)
    let run = try TrainingRun(Trainer(configuration), in: directory, arguments: [])
    try run.train(shouldStop: { false })
    _ = try run.evaluate()
    return directory.path
  }

  private func resumed(_ path: String, games: Int) throws {
    let checkpoint = try Checkpoint(path: path + "/checkpoint.safetensors")
    var configuration = checkpoint.configuration
    configuration.training.games = games
    let directory = try RunDirectory.resume(checkpoint, with: configuration)
    let trainer = try checkpoint.resume(with: configuration, allowingChanges: true)
    #expect(try directory.hasEvaluation(of: trainer))
    let run = try TrainingRun(trainer, in: directory, arguments: [])
    try run.train(shouldStop: { false })
    #expect(try !directory.hasEvaluation(of: run.trainer))
    _ = try run.evaluate()
    #expect(try directory.hasEvaluation(of: run.trainer))
  }

  /// The interim curve of a run of two sessions equals that of a run of one session, which is the same run.
  @Test(.slow) func aResumedRunHasTheCurveOfOneThatWasNotStopped() throws {
    let parts = try trained("parts", games: 200)
    try resumed(parts, games: 300)
    let whole = try trained("whole", games: 300)
    let short = try trained("short", games: 200)
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
  }

  /// Both stages have their own values and histograms in TensorBoard.
  @Test func eventFilesTellThemApart() throws {
    let path = try trained("events", games: 100)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasPrefix("events.out.tfevents.") })
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
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
