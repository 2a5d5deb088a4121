internal import CTupeloAPI
internal import Foundation
internal import TestSupport
internal import Testing
internal import TupeloRuns
internal import TupeloTraining

/// Runs of a learner of the caller.
@Suite struct RunTests {
  private static let yaml =
    smallNetwork + "own: {learner: Mine, window: 50}\nevaluation: {games: 12, interim_games: 8, threads: 2}\n"

  private static func create(
    _ folder: String, _ yaml: String? = yaml, overrides: [String] = [], resume: Int32 = 0
  ) -> (status: Int, run: Int64) {
    var run: Int64 = 0
    let status = withTexts(overrides) { texts in
      withTexts(["mine.py", "7"]) { arguments in
        tupelo_run_create(
          folder, yaml, "mine.yaml", texts, UInt64(overrides.count), arguments, 2, resume, &run)
      }
    }
    return (Int(status), run)
  }

  private static func log(
    _ run: Int64, _ games: Int64, _ moves: Int64, _ seconds: Double = -1, _ values: [(String, Double)] = []
  ) -> Int {
    withTexts(values.map(\.0)) {
      Int(tupelo_run_log(run, games, moves, seconds, UInt64(values.count), $0, values.map(\.1)))
    }
  }

  @Test func aRunLeavesTheFolderOfARun() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("run")
    let model = try makeModel(smallNetwork, games: 30)
    let (status, run) = Self.create(path, overrides: ["own.window=60"])
    try #require(status == TUPELO_OK, "\(lastError)")
    #expect(Self.log(run, 30, 3000, 1.5, [("rollout/score_mean", 700), ("surprise", 0.25)]) == TUPELO_OK)
    var (scores, moves, outcomes) = ([Int64](repeating: -1, count: 12), [Int64](), [Int32]())
    moves = scores
    outcomes = scores.map { Int32($0) }
    #expect(tupelo_run_evaluate(run, model, Int32(TUPELO_STAGE_INTERIM), 0, nil, nil, nil) == 0)
    #expect(tupelo_run_save(run, model) == 0)
    #expect(tupelo_run_evaluate(run, model, Int32(TUPELO_STAGE_FINAL), 0, &scores, &moves, &outcomes) == 0)
    let facts = text { tupelo_run_info(run, $0, $1, $2) }
    for fact in [
      "\"learner\":\"Mine\"", "\"games\":30", "\"seconds\":1.5", "\"games\":12",
      "\"rows\":4", "window: 60",
    ] { #expect(facts.contains(fact), "\(fact) in \(facts)") }
    #expect(tupelo_run_end(run, Int32(TUPELO_RUN_FINISHED)) == 0)
    #expect(Self.log(run, 31, 3100) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_release(run) == 0)

    let records = try MetricsFile(path: path + "/metrics.jsonl").records
    #expect(records.map(\.games) == [30, 30, 30] && records[0].values["own/surprise"] == 0.25)
    #expect(records[2][.finalScoreMean] == Double(scores.reduce(0, +)) / 12)
    #expect(moves.allSatisfy { $0 > 0 } && outcomes.allSatisfy { $0 >= 16 })
    // The games are those of the library's evaluation.
    var evaluation = tupelo_evaluation()
    evaluation.size = UInt64(MemoryLayout<tupelo_evaluation>.size)
    (evaluation.games, evaluation.threads, evaluation.seed) = (12, 1, 1_000_003)
    (evaluation.start_tiles, evaluation.four_probability) = (2, 0.1)
    var (again, finished) = (scores.map { _ in Int64(0) }, Int64(0))
    #expect(tupelo_evaluate(model, &evaluation, 0, &again, nil, nil, &finished) == 0 && again == scores)
    var loaded: Int64 = 0
    #expect(tupelo_model_load(path, &loaded) == 0)
    #expect(try identity(of: loaded) == identity(of: model))
    let meta = try String(contentsOfFile: path + "/meta.json", encoding: .utf8)
    #expect(meta.contains("\"mine.py\"") && meta.contains("finished"))
    for object in [loaded, model] { #expect(tupelo_release(object) == 0) }
  }

  @Test func aRunIsResumedByItsLearnerAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("run")
    let (_, first) = Self.create(path)
    #expect(Self.log(first, 30, 3000, 1.5) == TUPELO_OK)
    // The folder is locked until the run is released.
    #expect(Self.create(path, resume: 1).status == TUPELO_BAD_FILE)
    #expect(tupelo_release(first) == 0)
    #expect(Self.create(path).status == TUPELO_BAD_FILE)
    #expect(lastError.contains("already holds a run"))
    #expect(Self.create(path, overrides: ["own.learner=Yours"], resume: 1).status == TUPELO_BAD_FILE)
    #expect(lastError.contains("a run of the learner Mine"))
    // Without a configuration it keeps its own.
    let (status, second) = Self.create(path, nil, resume: 1)
    try #require(status == TUPELO_OK, "\(lastError)")
    let facts = text { tupelo_run_info(second, $0, $1, $2) }
    #expect(facts.contains("\"games\":30") && facts.contains("window: 50"))
    #expect(Self.log(second, 29, 3000) == TUPELO_INVALID_ARGUMENT)
    #expect(Self.log(second, 40, 4100) == TUPELO_OK)
    #expect(tupelo_run_end(second, Int32(TUPELO_RUN_INTERRUPTED)) == 0 && tupelo_release(second) == 0)
    #expect(try MetricsFile(path: path + "/metrics.jsonl").records.map(\.games) == [30, 40])
  }

  @Test func resultsOfTheCallerAreRecorded() throws {
    let folder = try TemporaryFolder()
    let (_, run) = Self.create(folder.file("run"))
    defer { _ = tupelo_release(run) }
    let final = Int32(TUPELO_STAGE_FINAL)
    #expect(tupelo_run_results(run, "policy", final, 3, [4, 8, 24], [2, 3, 5], [4, 8, 16], 0.5) == 0)
    let record = try #require(try MetricsFile(path: folder.file("run/metrics.jsonl")).records.first)
    #expect(record[.finalScoreMean] == 12 && record[.finalGames] == 3 && record[.finalSeed] == 1_000_003)
    for status in [
      tupelo_run_results(run, "policy", 2, 3, [4, 8, 24], [2, 3, 5], [4, 8, 16], 0.5),
      tupelo_run_results(run, "policy", final, 3, [4, 8, 24], [2, 3, 5], [4, 8, 17], 0.5),
      tupelo_run_results(run, "policy", final, 0, [4], [2], [4], 0.5),
      tupelo_run_results(run, "<policy>", final, 1, [4], [2], [4], 0.5),
      tupelo_run_results(run, nil, final, 1, [4], [2], [4], 0.5),
      tupelo_run_results(run, "policy", final, 1, nil, [2], [4], 0.5),
    ] { #expect(status == TUPELO_INVALID_ARGUMENT) }
    #expect(try MetricsFile(path: folder.file("run/metrics.jsonl")).records.count == 1)
  }

  @Test func wrongArgumentsAreRefused() throws {
    let folder = try TemporaryFolder()
    #expect(Self.create(folder.file("a"), smallNetwork).status == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "own.learner is not set: give it in the configuration of the run")
    #expect(Self.create("").status == TUPELO_INVALID_ARGUMENT)
    #expect(Self.create(folder.file("a"), resume: 2).status == TUPELO_INVALID_ARGUMENT)
    #expect(Self.create(folder.file("a"), resume: 1).status == TUPELO_BAD_FILE)
    #expect(Self.create(folder.file("a"), "learner: {alfa: 1}").status == TUPELO_BAD_CONFIGURATION)
    #expect(!FileManager.default.fileExists(atPath: folder.file("a")))
    let (_, run) = Self.create(folder.file("b"))
    #expect(Self.log(run, 1, 2, .nan) == TUPELO_INVALID_ARGUMENT)
    #expect(Self.log(run, -1, 2) == TUPELO_INVALID_ARGUMENT)
    #expect(Self.log(run, 1, 2, -1, [("x", 1), ("x", 2)]) == TUPELO_INVALID_ARGUMENT)
    #expect(Self.log(run, 1, 2, -1, [("rollout/scoremean", 1)]) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_run_log(run, 1, 2, -1, 1, nil, nil) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_run_end(run, 3) == TUPELO_INVALID_ARGUMENT)
    let other = try makeModel("network: {patterns: \"012\"}\nrules: {rows: 3, columns: 3}\n", games: 5)
    #expect(tupelo_run_evaluate(run, other, 0, 0, nil, nil, nil) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError.hasPrefix("the model plays on 3x3, and the run on 4x4"))
    #expect(tupelo_run_save(run, run) == TUPELO_NO_SUCH_OBJECT)
    for object in [run, other] { #expect(tupelo_release(object) == 0) }
    #expect(Self.log(run, 1, 2) == TUPELO_NO_SUCH_OBJECT)
  }

  @Test func aCancelledEvaluationRecordsNothing() throws {
    let folder = try TemporaryFolder()
    let model = try makeModel(smallNetwork, games: 30)
    let (_, run) = Self.create(folder.file("run"))
    var control: Int64 = 0
    #expect(tupelo_control_create(&control) == 0 && tupelo_control_cancel(control) == 0)
    #expect(tupelo_run_evaluate(run, model, 0, control, nil, nil, nil) == TUPELO_CANCELLED)
    #expect(try MetricsFile(path: folder.file("run/metrics.jsonl")).records.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.file("run/evaluation.json")))
    for object in [control, run, model] { #expect(tupelo_release(object) == 0) }
  }
}
