import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

/// The list of the runs below a folder, which consist of files only.
@Suite struct RunListTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    let path = folder.file(name)
    try FileManager.default.createDirectory(atPath: path.parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// A run with records (games, values), and an evaluation.json when `final` is given.
  private func run(
    _ name: String, config: String, _ records: [(Int, [String: Double])], final: Double? = nil
  ) throws {
    try write(config, name + "/config.yaml")
    let lines = records.map { games, values in
      MetricsRecord(games: games, moves: games, seconds: 1, time: 0, values: values).json + "\n"
    }
    try write(lines.joined(), name + "/metrics.jsonl")
    guard let final else { return }
    try write(
      #"{"agent": "a", "games": 40, "seed": 7, "score_mean": \#(final), "score_margin_95": 5.5, "score_max": 99, "#
        + #""reach_rates": {}}"#, name + "/evaluation.json")
  }

  @Test func runsAreSortedByTheirNewestScore() throws {
    let small = "network.patterns: \"0123\"\n"
    try run(
      "low", config: small + "learner.alpha: 0.5\nname: x",
      [(100, ["eval/score_mean": 900, "eval/games": 9]), (200, ["final/score_mean": 20, "final/games": 40])],
      final: 20)
    // The run was continued after its final evaluation: the interim one is newer.
    try run(
      "sweep/a", config: small + "name: y\nevaluation.threads: 3",
      [
        (100, ["final/score_mean": 99, "final/games": 40]),
        (150, ["eval/score_mean": 30, "eval/score_low": 26, "eval/score_high": 34, "eval/games": 9]),
      ], final: 99)
    try run("sweep/deep/b", config: "network.patterns: \"0123 4567\"", [(50, ["rollout/score_mean": 5])])
    try run("high", config: small + "seed: 4", [(300, ["final/score_mean": 70, "final/games": 40])], final: 70)
    // A folder in a run is not searched, and neither is a hidden one.
    try run("high/inner", config: "", [(1, [:])])
    try run(".hidden", config: "", [(1, [:])])
    let list = try RunList(folder: folder.path)
    #expect(list.runs.map(\.name) == ["high", "sweep/a", "low", "sweep/deep/b"])
    #expect(list.runs.map { $0.score?.value.mean } == [70, 30, 20, nil])
    #expect(list.runs.map { $0.score?.stage } == [.final, .interim, .final, nil])
    #expect(
      list.runs.map { $0.score?.games } == [300, 150, 200, nil] && list.runs.map(\.games) == [300, 150, 200, 50])
    #expect(list.runs[0].score?.value == RunScore(mean: 70, margin: 5.5, kind: EvaluationKind(games: 40, seed: 7)))
    #expect(list.runs[1].score?.value.margin == 4 && list.runs[1].score?.value.games == 9)
    #expect(list.settings == ["seed", "network.patterns", "learner.alpha"] && list.problems.isEmpty)
    let all = try RunList(folder: folder.path, allKeys: true)
    let head = try #require(all.csv.split(separator: "\n").first?.split(separator: ","))
    for key in ["seed", "learner.alpha", "training.games", "evaluation.threads", "output.directory"] {
      #expect(all.settings.contains(key) && head.contains(key[...]), "\(key)")
    }
    #expect(all.runs.map(\.name) == list.runs.map(\.name) && head.filter { $0 == "name" }.count == 1)
    let lines = list.csv.split(separator: "\n").map(String.init)
    #expect(
      lines[0] == "run,name,game,games,score_mean,score_margin_95,score_games,score_plies,score_stage,"
        + "score_after_games,best_score_mean,best_score_low,best_score_games,best_after_games,"
        + "seed,network.patterns,learner.alpha")
    // The YAML of the patterns has quotation marks, which are doubled.
    #expect(
      lines[2] == folder.path + "/sweep/a,y,2048,150,30.0,4.0,9,,interim,150,,,,,1,\"\"\"0123\"\"\",1.0")
    let json = try JSONSerialization.jsonObject(with: Data(list.json.utf8)) as? [String: Any]
    let runs = try #require(json?["runs"] as? [[String: Any]])
    #expect(runs.map { ($0["score"] as? [String: Any])?["score_mean"] as? Double } == [70, 30, 20, nil])
    #expect((runs[2]["settings"] as? [String: String])?["learner.alpha"] == "0.5")
    // The list of a single run's folder contains that run.
    #expect(try RunList(folder: folder.file("low")).runs.map(\.name) == ["low"])
  }

  /// Runs on another disk are often linked. A folder has one name, whatever leads to it, and links may form circles.
  @Test func linkedRunsAreListedOnce() throws {
    try run("runs/b", config: "", [(1, [:])])
    try run("disk/far", config: "", [(2, [:])])
    try run("disk/sweep/one", config: "", [(3, [:])])
    for (link, target) in [
      ("runs/a-link", "b"), ("runs/near", "../disk/far"), ("runs/sweep", "../disk/sweep"), ("runs/circle", "."),
      ("disk/sweep/up", "../../runs"), ("runs/nowhere", "nothing"),
    ] {
      try FileManager.default.createSymbolicLink(atPath: folder.file(link), withDestinationPath: target)
    }
    let list = try RunList(folder: folder.file("runs"))
    #expect(list.runs.map(\.name) == ["b", "near", "sweep/one"] && list.problems.isEmpty, "\(list.problems)")
  }

  @Test func aRunThatCannotBeReadIsNamedAndTheOthersListed() throws {
    try run("good", config: "", [(1, [:])])
    try run("bad", config: "learner.alpa: 1", [(1, [:])])
    try write("x\n", "worse/metrics.jsonl")
    let list = try RunList(folder: folder.path)
    #expect(list.runs.map(\.name) == ["good"] && list.problems.count == 2)
    #expect(list.problems[0].contains("bad/config.yaml"))
    #expect(list.problems[1].contains("worse: has metrics.jsonl and no config.yaml"))
    #expect(throws: RunListError.noFolder(path: folder.file("none"))) { try RunList(folder: folder.file("none")) }
  }
}

extension String {
  fileprivate var parent: String { (self as NSString).deletingLastPathComponent }
}
