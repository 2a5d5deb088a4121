import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

@Suite struct LearningCurveTests {
  private let folder: MetricsFolder

  init() throws { folder = try MetricsFolder() }

  private typealias Point = LearningCurve.Point

  private func curve(_ values: [(Double, Double)]) -> LearningCurve {
    LearningCurve(name: "", points: values.map { Point(x: $0.0, y: $0.1) })
  }

  private func record(_ games: Int, _ values: [String: Double], seconds: Double? = nil) -> MetricsRecord {
    MetricsRecord(games: games, moves: games * 100, seconds: seconds ?? Double(games) / 10, time: 0, values: values)
  }

  private func file(_ records: [MetricsRecord]) throws -> MetricsFile {
    MetricsFile(path: try folder.write(records.map { $0.json + "\n" }.joined()))
  }

  @Test func readsValuesAndBands() throws {
    let file = try file([
      record(10, ["rollout/score_mean": 1]),
      record(20, ["rollout/score_mean": 2, "eval/score_mean": 5, "eval/score_low": 4, "eval/score_high": 7]),
      // The later of two evaluations after the same games counts.
      record(30, ["eval/score_mean": 9, "eval/games": 2]), record(30, ["eval/score_mean": 6, "eval/games": 2]),
      // Ends in the wrong order do not form an interval.
      record(40, ["eval/score_mean": 5, "eval/score_low": 8, "eval/score_high": 7]),
    ])
    func points(_ metric: String, _ axis: LearningCurve.Axis) throws -> [Point] {
      try LearningCurve(name: "a", file: file, metric: metric, axis: axis).points
    }
    #expect(try points("rollout/score_mean", .games) == [Point(x: 10, y: 1), Point(x: 20, y: 2)])
    #expect(try points("rollout/score_mean", .moves).map(\.x) == [1000, 2000])
    #expect(try points("rollout/score_mean", .seconds).map(\.x) == [1, 2])
    #expect(
      try points("eval/score_mean", .games) == [
        Point(x: 20, y: 5, band: 4...7), Point(x: 30, y: 6), Point(x: 40, y: 5),
      ])
  }

  @Test func saysWhatIsWrong() throws {
    func problem(_ records: [MetricsRecord], _ metric: String, _ axis: LearningCurve.Axis = .games) throws -> String {
      let file = try file(records)
      do {
        _ = try LearningCurve(name: "a", file: file, metric: metric, axis: axis)
        return "no error"
      } catch {
        return "\(error)".replacing(folder.path + "/", with: "")
      }
    }
    let records = [record(1, ["eval/score_mean": 1, "train/td_error_abs": 2]), record(2, ["own": 1])]
    #expect(try problem([], "a") == "metrics.jsonl: has no record yet: wait for the first, or leave this run out")
    #expect(
      try problem(records, "eval/scoremean") == "metrics.jsonl: has no eval/scoremean, did you mean eval/score_mean?")
    #expect(
      try problem(records, "td_error_abs") == "metrics.jsonl: has no td_error_abs, did you mean train/td_error_abs?")
    #expect(
      try problem(records, "loss\u{1b}")
        == "metrics.jsonl: has no loss\\u{1b}: choose one with --metric: eval/score_mean, own or train/td_error_abs")
    #expect(try problem([record(1, [:])], "a") == "metrics.jsonl: has no a and no other metric: leave this run out")
    let back = [record(1, ["a": 1], seconds: 9), record(2, ["a": 1], seconds: 8)]
    #expect(
      try problem(back, "a", .seconds)
        == "metrics.jsonl: seconds go back at 2 games: choose another axis with --x")
    #expect(try problem(back, "a") == "no error")
  }

  /// Smoothing is compared with its definition, one window at a time.
  @Test func smoothingIsTheMeanAround() {
    var random = TestRandom(state: 5)
    for count in [1, 2, 3, 4, 7, 50, 1000] {
      let values = (0..<40).map { (Double($0), Double.random(in: 0...100, using: &random)) }
      let smoothed = curve(values).smoothed(over: count)
      for index in values.indices {
        let before = (count - 1) / 2
        let after = index < before ? index : count / 2
        let window = values.indices.filter { $0 >= index - before && $0 <= index + after }
        let mean = window.reduce(0) { $0 + values[$1].1 } / Double(window.count)
        #expect(abs(smoothed.points[index].y - mean) < 1e-9 && smoothed.points[index].x == values[index].0)
      }
      #expect(smoothed.raw.map(\.y) == (count == 1 ? [] : values.map(\.1)))
    }
    let banded = LearningCurve(
      name: "",
      points: [Point(x: 0, y: 1, band: 0...2), Point(x: 1, y: 3, band: 1...5), Point(x: 2, y: 5, band: 2...8)])
    #expect(banded.smoothed(over: 3).points[1] == Point(x: 1, y: 3, band: 1...5))
    #expect(banded.smoothed(over: 3).points[0] == banded.points[0])
    #expect(banded.smoothed(over: 3).points[2] == Point(x: 2, y: 4, band: 1.5...6.5))
    let huge = curve([(0, 1.5e308), (1, 1.5e308)]).smoothed(over: 3)
    #expect(huge.points.allSatisfy { $0.y == 1.5e308 })
  }

  @Test func meanOfCurvesWhereAllOfThemAre() throws {
    let mean = try #require(
      LearningCurve.mean(of: [curve([(0, 0), (10, 10), (20, 10)]), curve([(5, 1), (15, 3)])], name: "m"))
    #expect(mean.points.map(\.x) == [5, 10, 15] && mean.points.map(\.y) == [3, 6, 6.5])
    // The sample standard deviation of two values is their distance over the square root of 2.
    let band = try #require(mean.points[1].band)
    #expect(abs(band.lowerBound - (6 - 8 / 2.0.squareRoot())) < 1e-12)
    #expect(abs(band.upperBound - (6 + 8 / 2.0.squareRoot())) < 1e-12)
    #expect(LearningCurve.mean(of: [curve([(0, 0), (1, 1)]), curve([(2, 0)])], name: "") == nil)
    #expect(LearningCurve.mean(of: [], name: "") == nil)
    let single = LearningCurve(name: "a", points: [Point(x: 1, y: 2, band: 1...3)])
    #expect(LearningCurve.mean(of: [single], name: "b")?.points == single.points)
    #expect(LearningCurve.mean(of: [curve([(3, 1)]), curve([(3, 5)])], name: "")?.points.map(\.y) == [3])
  }

  private func run(_ name: String, config: String?, games: [Int] = [10, 20], value: Double = 1) throws -> PlotRun {
    let path = folder.path + "/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let text = games.map { record($0, ["rollout/score_mean": value]).json + "\n" }.joined()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/metrics.jsonl"))
    if let config { try Data(config.utf8).write(to: URL(fileURLWithPath: path + "/config.yaml")) }
    return try PlotRun(path: path)
  }

  @Test func groupsRunsByName() throws {
    let runs = try [
      run("a/1", config: "name: x\nseed: 1\ntraining.games: 5", value: 1),
      run("b/1", config: "name: y", value: 9),
      run("a/2", config: "name: x\nseed: 2\noutput.directory: q", value: 3),
    ]
    let metric = "rollout/score_mean"
    let groups = try PlotRun.groupedCurves(of: runs, metric: metric, axis: .games)
    #expect(groups.map(\.name) == ["x, 2 runs", "y"] && groups.map { $0.points[0].y } == [2, 9])
    let curves = try PlotRun.curves(of: runs, metric: metric, axis: .games)
    #expect(curves.map(\.name) == ["a/1", "b/1", "2"])
    func problem(_ runs: [PlotRun], _ grouped: Bool = true) -> String {
      do {
        _ = try (grouped ? PlotRun.groupedCurves : PlotRun.curves)(runs, metric, .games)
        return "no error"
      } catch {
        return "\(error)".replacing(folder.path + "/", with: "")
      }
    }
    let other = try run("a/3", config: "name: x\nlearner.alpha: 0.5")
    #expect(
      problem(runs + [other])
        == "a/3: has the name of a/1, but another learner.alpha: leave out --group, or one of them")
    let bare = try run("c", config: nil)
    #expect(
      problem(runs + [bare])
        == "c: no config.yaml beside the metrics, which is needed to group runs: leave out --group")
    #expect(problem(runs + [bare], false) == "no error")
    let twin = try run("a/5", config: "name: x\nseed: 2")
    #expect(
      problem(runs + [twin])
        == "a/5: has seed 2, as a/2 has: a group is a sample over seeds: leave one of them out")
    #expect(problem(runs + [twin], false) == "no error")
    let late = try run("a/4", config: "name: x\nseed: 4", games: [500])
    #expect(problem(runs + [late]) == "the runs of x have no part of the axis in common: leave out --group")
    #expect(problem([runs[0], runs[1], runs[0]], false) == "a/1: is given twice: name each run once")
  }

  /// The folders of a sweep's runs contain their variants, while all configurations have one name.
  @Test func groupsRunsOfASweepByVariant() throws {
    for (alpha, seeds) in [("0.5", [1, 2, 10]), ("1.0", [1, 2])] {
      for seed in seeds {
        let config = "name: x\nseed: \(seed)\nlearner.alpha: \(alpha)"
        _ = try run("sweep/x__alpha=\(alpha)__seed=\(seed)", config: config, value: Double(seed))
      }
    }
    _ = try run("sweep/x__alpha=1.0__seed=3", config: "name: x", games: [])
    let (runs, waiting) = try PlotRun.all(at: [folder.path + "/sweep"])
    let names = runs.map { ($0.path as NSString).lastPathComponent }
    #expect(
      names == ["0.5__seed=1", "0.5__seed=2", "0.5__seed=10", "1.0__seed=1", "1.0__seed=2"].map { "x__alpha=" + $0 })
    #expect(waiting.map { ($0 as NSString).lastPathComponent } == ["x__alpha=1.0__seed=3"])
    let groups = try PlotRun.groupedCurves(of: runs, metric: "rollout/score_mean", axis: .games)
    #expect(groups.map(\.name) == ["x__alpha=0.5, 3 runs", "x__alpha=1.0, 2 runs"])
    #expect(zip(groups, [13.0 / 3, 1.5]).allSatisfy { abs($0.points[0].y - $1) < 1e-12 })
    // A folder whose name looks like that of a sweep's run has another seed: the name in its configuration counts.
    let other = try run("y__seed=4", config: "name: z\nseed: 5")
    #expect(try PlotRun.groupedCurves(of: [other], metric: "rollout/score_mean", axis: .games).map(\.name) == ["z"])
    // The paths of the single runs are equivalent to the folder.
    #expect(try PlotRun.all(at: runs.map(\.path)).runs.map(\.path) == runs.map(\.path))
    _ = try run("waiting/a", config: "", games: [])
    #expect(throws: PlotError.noRecords(path: folder.path + "/waiting")) {
      try PlotRun.all(at: [folder.path + "/waiting"])
    }
  }

  @Test func runsThatAreNone() throws {
    func problem(_ path: String) -> String {
      do {
        _ = try PlotRun(path: path).file.records
        return "no error"
      } catch {
        return "\(error)".replacing(folder.path, with: "F")
      }
    }
    let remedy = "no metrics.jsonl there: name the folder of a training run or a sweep, or such a file"
    #expect(problem(folder.path) == "F: \(remedy)" && problem(folder.path + "/no") == "F/no: \(remedy)")
    let path = try folder.write("{}\n")
    #expect(problem(folder.path).hasPrefix("F/metrics.jsonl:1: games is missing: ") && problem(path).hasPrefix("F/m"))
  }
}
