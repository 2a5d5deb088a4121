import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

/// Groups of runs compared over their seeds. The runs consist of files only.
@Suite struct GroupComparisonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    let path = folder.file(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// A run with records of interim evaluations (games, seconds, mean), and with an evaluation after training.
  @discardableResult private func run(
    _ name: String, _ config: String, seed: Int, interim: [(Int, Double, Double)] = [], games: Int = 100,
    seconds: Double = 10, final: Double?, plies: Int = 1
  ) throws -> String {
    try write("seed: \(seed)\nnetwork.patterns: \"0123\"\n\(config)", name + "/config.yaml")
    var records = interim.map { games, seconds, mean in
      var record = MetricsRecord(games: games, moves: games, seconds: seconds, time: 0)
      (record[.evalScoreMean], record[.evalGames], record[.evalPlies]) = (mean, 10, Double(plies))
      return record
    }
    if let final {
      var record = MetricsRecord(games: games, moves: games, seconds: seconds, time: 0)
      (record[.finalScoreMean], record[.finalGames], record[.finalPlies]) = (final, 40, Double(plies))
      records.append(record)
      try write(
        #"{"agent": "expectimax(plies: \#(plies))", "games": 40, "seed": 7, "score_mean": \#(final), "#
          + #""score_margin_95": 5.5, "score_max": 99, "reach_rates": {}}"#, name + "/evaluation.json")
    }
    try write(records.map { $0.json + "\n" }.joined(), name + "/metrics.jsonl")
    return folder.file(name)
  }

  private func groups(_ comparison: Comparison) throws -> GroupComparison {
    guard case .groups(let found) = comparison else {
      Issue.record("\(comparison)")
      throw CancellationError()
    }
    return found
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static let low = [1000.0, 1050, 980, 1020, 950]

  private func sweep(_ name: String = "sweep", adding bonus: Double = 200) throws {
    for (seed, score) in Self.low.enumerated() {
      try run("\(name)/s__alpha=0.5__seed=\(seed + 1)", "name: s\nlearner.alpha: 0.5", seed: seed + 1, final: score)
      try run(
        "\(name)/s__alpha=0.1__seed=\(seed + 1)", "name: s\nlearner.alpha: 0.1", seed: seed + 1, final: score + bonus)
    }
    try write(
      #"{"runs": [], "variants": [{"name": "s__alpha=0.5"}, {"name": "s__alpha=0.1"}]}"#, name + "/summary.json")
  }

  /// Each variant of a sweep is a group, in the order of the plan. The interval of the difference is that of
  /// `scipy.stats.ttest_ind(..., equal_var=False)`: 144.46 to 255.54.
  @Test func aSweepIsComparedByItsVariants() throws {
    try sweep()
    let comparison = try Comparison([folder.file("sweep")])
    let found = try groups(comparison)
    #expect(found.groups.map(\.name) == ["s__alpha=0.5", "s__alpha=0.1"])
    #expect(found.settings.map(\.key) == ["learner.alpha"] && found.settings[0].values == ["0.5", "0.1"])
    #expect(found.measures.map(\.kind) == [.evaluation(games: 100...100), .seconds(10, .evaluations)])
    let object = try json(comparison.json)
    #expect(object["bootstrap"] as? [String: Int] == ["resamples": 10_000, "seed": 1])
    let measure = try #require((object["measures"] as? [[String: Any]])?.first)
    let samples = try #require(measure["groups"] as? [[String: Any]])
    #expect(samples[0]["scores"] as? [Double] == Self.low && samples[0]["seeds"] as? [Int] == [1, 2, 3, 4, 5])
    #expect(samples[0]["score_mean"] as? Double == 1000 && samples[0]["iqm"] as? Double == 1000)
    let difference = try #require((measure["differences"] as? [[String: Any]])?.first)
    #expect(difference["difference"] as? Double == 200 && difference["verdict"] as? String == "higher")
    #expect(abs((difference["difference_margin_95"] as? Double ?? 0) - 55.54) < 0.01)
    #expect(difference["probability_of_improvement"] as? Double == 1)
    // A shell's `*` names the runs and the summary; then the order is that of the names.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("sweep")).sorted()
    let all = try groups(Comparison(names.map { folder.file("sweep/" + $0) }))
    #expect(all.groups.map(\.name) == ["s__alpha=0.1", "s__alpha=0.5"] && names.contains("summary.json"))
    let turned = try groups(Comparison(names.map { folder.file("sweep/" + $0) }, baseline: "s__alpha=0.5"))
    #expect(turned.groups.map(\.name) == ["s__alpha=0.5", "s__alpha=0.1"])
    #expect(throws: ComparisonError.noBaseline("x", names: ["s__alpha=0.5", "s__alpha=0.1"])) {
      try Comparison([folder.file("sweep")], baseline: "x")
    }
  }

  @Test func textAndTable() throws {
    try sweep(adding: 20)
    let comparison = try Comparison([folder.file("sweep")])
    let lines = try groups(comparison).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(
      lines.prefix(11) == [
        "A  s__alpha=0.5, 5 runs (baseline)", "B  s__alpha=0.1, 5 runs", "", "learner.alpha", "  A  0.5", "  B  0.1",
        "",
        "evaluation after 100 games of training",
        "   seeds        mean  sd    IQM  its interval", "A      5  1,000 ± 47  38  1,000  960 to 1,040",
        "B      5  1,020 ± 47  38  1,020  980 to 1,060",
      ], "\(lines)")
    #expect(lines[12].hasSuffix("  undecided") && lines[12].hasPrefix("B  +20 ± 56   "), "\(lines)")
    let rows = comparison.csv.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows.count == 5 && rows.allSatisfy { $0.count == rows[0].count })
    let column = try #require(rows[0].firstIndex(of: "verdict"))
    #expect(rows.map { $0[column] } == ["verdict", "", "undecided", "", "undecided"])
  }

  /// Runs of other lengths and speeds are compared where all of them have been. By `numpy.interp`, the scores of the
  /// first run are 120 after 300 games and 115 after 25 seconds.
  @Test func equalGamesAndEqualTime() throws {
    try run("a1", "", seed: 1, interim: [(100, 10, 100), (400, 40, 130)], games: 500, seconds: 50, final: 150)
    try run("a2", "", seed: 2, interim: [(100, 10, 90), (300, 30, 110)], games: 500, seconds: 50, final: 140)
    try run("b1", "learner.alpha: 0.5", seed: 1, interim: [(100, 5, 80)], games: 300, seconds: 25, final: 95)
    let comparison = try Comparison(["a1", "a2", "b1"].map(folder.file))
    let found = try groups(comparison)
    #expect(
      found.measures.map(\.kind) == [
        .evaluation(games: 300...500), .games(300, .evaluations), .seconds(25, .evaluations),
      ])
    let measures = try #require(try json(comparison.json)["measures"] as? [[String: Any]])
    let scores = measures.map { ($0["groups"] as? [[String: Any]])?.map { $0["scores"] as? [Double] ?? [] } ?? [] }
    for (found, expected) in zip(scores, [[[150, 140], [95]], [[120, 110], [95]], [[115, 105], [95]]]) {
      for (found, expected) in zip(found.flatMap(\.self), expected.flatMap(\.self)) {
        #expect(abs(found - Double(expected)) < 1e-9, "\(scores)")
      }
    }
    let difference = (measures[0]["differences"] as? [[String: Any]])?.first
    #expect(difference?["verdict"] as? String == "too few seeds" && difference?["probability_low_95"] == nil)
    #expect(found.text.contains("\na verdict needs 5 runs of each group: train more seeds"))
    // Without evaluations in common, training games are compared.
    let plain = try ["c1", "c2", "d1"].map { name in
      let path = try run(name, name == "d1" ? "learner.alpha: 0.5" : "", seed: name == "c2" ? 2 : 1, final: nil)
      var record = MetricsRecord(games: 100, moves: 1, seconds: 4, time: 0)
      record[.rolloutScoreMean] = 7
      try write(record.json + "\n", name + "/metrics.jsonl")
      return path
    }
    #expect(try groups(Comparison(plain)).measures.map(\.kind) == [.games(100, .training), .seconds(4, .training)])
  }

  /// Runs of two folders are never one sample, and names say which folder a group is from.
  @Test func foldersStayApart() throws {
    try sweep("old")
    try sweep("new")
    let found = try groups(Comparison([folder.file("old"), folder.file("new")]))
    #expect(
      found.groups.map(\.name) == ["old/s__alpha=0.5", "old/s__alpha=0.1", "new/s__alpha=0.5", "new/s__alpha=0.1"])
    let twin = folder.file("new/s__alpha=0.5__seed=2")
    let runs = ["old/s__alpha=0.5__seed=1", "old/s__alpha=0.5__seed=2", "old/s__alpha=0.1__seed=1"].map(folder.file)
    #expect(throws: PlotError.sameSeed(path: twin, other: runs[1], seed: 2)) { try Comparison(runs + [twin]) }
    let same = runs[1] + "/metrics.jsonl"
    #expect(throws: PlotError.repeated(path: same)) { try Comparison(runs + [same]) }
  }

  /// Groups of one name have the settings in which they differ in their names.
  @Test func groupsOfOneNameAreTold() throws {
    var paths: [String] = []
    for seed in 1...2 {
      paths.append(try run("x\(seed)", "name: run\nlearner.alpha: 0.5", seed: seed, final: 5))
      paths.append(try run("y\(seed)", "name: run\nlearner.alpha: 0.25\ntraining.games: 7", seed: seed, final: 6))
    }
    #expect(try groups(Comparison(paths)).groups.map(\.name) == ["run__alpha=0.5", "run__alpha=0.25"])
  }

  @Test func runsAloneAreComparedAsAgents() throws {
    let one = try run("one", "", seed: 1, final: 5)
    let two = try run("two", "", seed: 2, final: 5)
    let three = try run("three", "learner.alpha: 0.5", seed: 1, final: 5)
    let four = try run("four", "learner.alpha: 0.25", seed: 1, final: 5)
    if case .pair(let pair) = try Comparison([one, two]) { #expect(!pair.hasOtherLearning) } else { Issue.record() }
    if case .pair(let pair) = try Comparison([one, three]) { #expect(pair.hasOtherLearning) } else { Issue.record() }
    let several = try Comparison([one, three, four], baseline: three)
    if case .runs(let runs) = several { #expect(runs.runs.map(\.path) == [three, one, four]) } else { Issue.record() }
    #expect(several.csv.split(separator: "\n").count == 3)
    #expect(throws: ComparisonError.oneRun) { try Comparison([one]) }
    try write("{}", "sweep/summary.json")
    try FileManager.default.moveItem(atPath: one, toPath: folder.file("sweep/one"))
    try FileManager.default.moveItem(atPath: two, toPath: folder.file("sweep/two"))
    #expect(throws: ComparisonError.badSummary(path: folder.file("sweep/summary.json"))) {
      try Comparison([folder.file("sweep")])
    }
    // A folder of one setting is a group without a baseline.
    try FileManager.default.removeItem(atPath: folder.file("sweep/summary.json"))
    let alone = try groups(Comparison([folder.file("sweep")]))
    #expect(alone.groups.map(\.runs.count) == [2] && !alone.text.contains("verdict"))
  }

  /// Evaluations by other agents are not compared.
  @Test func otherAgents() throws {
    try sweep()
    try run("sweep/s__alpha=0.1__seed=6", "name: s\nlearner.alpha: 0.1", seed: 6, final: 5, plies: 2)
    #expect(try groups(Comparison([folder.file("sweep")])).measures.isEmpty)
  }
}
