import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

/// Two runs compared, which consist of files only. The records are those of earlier versions, without tags of their own
/// for the final evaluation.
@Suite struct RunComparisonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A record of an evaluation: the mean, and half the interval.
  private typealias Evaluation = (mean: Double, margin: Double)

  private func run(
    _ name: String, config: String, training: [Int: Double] = [:], interim: [Int: Evaluation] = [:],
    final: (games: Int, Evaluation)? = nil
  ) throws -> String {
    let path = folder.file(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    func write(_ text: String, _ file: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + file))
    }
    try write(config, "config.yaml")
    var records = Set(training.keys).union(interim.keys).sorted().map { games in
      var record = MetricsRecord(games: games, moves: games * 100, seconds: 1, time: 0)
      record[.rolloutScoreMean] = training[games]
      if let (mean, margin) = interim[games] {
        record[.evalScoreMean] = mean
        record[.evalScoreLow] = mean - margin
        record[.evalScoreHigh] = mean + margin
      }
      return record
    }
    if let (count, (mean, margin)) = final {
      var record = MetricsRecord(games: records.last?.games ?? 0, moves: 100_000_000, seconds: 1, time: 0)
      record[.evalScoreMean] = mean
      records.append(record)
      let json =
        #"{"agent": "expectimax(plies: 1)", "games": \#(count), "seed": 7, "score_mean": \#(mean), "#
        + #""score_margin_95": \#(margin), "score_max": 99, "reach_rates": {}}"#
      try write(json, "evaluation.json")
    }
    try write(records.map { $0.json + "\n" }.joined(), "metrics.jsonl")
    return path
  }

  @Test func settingsThatDifferAreListed() throws {
    let one = try run("one", config: "name: a\nnetwork.layout: 4x5\noutput.directory: here")
    let two = try run("two", config: "name: a\nnetwork.layout: 4x5\nlearner: {alpha: 0.5}\ntraining.minutes: 7")
    let settings = try RunComparison(one, two).settings
    #expect(settings.map(\.key) == ["learner.alpha", "training.minutes"])
    #expect(settings.map(\.first) == ["1.0", nil] && settings.map(\.second) == ["0.5", "7.0"])
    let same = try RunComparison(one, one)
    #expect(same.settings.isEmpty && same.scores.isEmpty)
  }

  /// The miles per gallon of the e-Handbook of NIST, 1.3.5.3, as scores: t is -12.94627 with 136.87 degrees of freedom.
  @Test func evaluationsHaveTheIntervalOfTheirDifference() throws {
    let one = try run(
      "one", config: "seed: 1", training: [100: 1], final: (249, (20.14458, 1.969576 * 6.41470 / 249.0.squareRoot())))
    let two = try run(
      "two", config: "seed: 2", training: [100: 2], final: (79, (30.48101, 1.990847 * 6.10771 / 79.0.squareRoot())))
    let comparison = try RunComparison(one, two)
    #expect(comparison.scores.map(\.kind) == [.evaluation])
    let score = try #require(comparison.scores.first)
    #expect(abs(score.difference - 10.33643) < 1e-9)
    let margin = try #require(score.differenceMargin)
    #expect(abs(margin - 1.97756 * 10.33643 / 12.94627) < 1e-4)
    #expect(score.first.games == 249 && score.second.games == 79)
    // The smallest difference adds the 80% quantile of the normal distribution, from a table, to the interval.
    let smallest = try #require(score.smallestDifference)
    #expect(abs(smallest - (1.97756 + 0.84162) * 10.33643 / 12.94627) < 1e-4 && !score.isUnderpowered)
    let json = try JSONSerialization.jsonObject(with: Data(comparison.json.utf8)) as? [String: Any]
    let row = try #require((json?["scores"] as? [[String: Any]])?.first)
    #expect(row["kind"] as? String == "evaluation" && row["difference_margin_95"] as? Double == margin)
    #expect((json?["settings"] as? [[String: Any]])?.first?["values"] as? [String] == ["1", "2"])
    #expect((json?["runs"] as? [[String: Any]])?.map { $0["games"] as? Int } == [100, 100])
  }

  /// Evaluations after different numbers of games are reported, and beside them evaluations at equal numbers.
  @Test func scoresAtEqualGames() throws {
    let interim: [Int: Evaluation] = [100: (50, 5), 200: (60, 6), 300: (70, 7)]
    let config = "evaluation: {every_games: 100, interim_games: 30}"
    let long = try run("long", config: config, training: [300: 8], interim: interim, final: (40, (71, 4)))
    let short = try run(
      "short", config: config, training: [200: 9], interim: interim.filter { $0.key < 300 }, final: (40, (61, 4)))
    let scores = try RunComparison(long, short).scores
    #expect(scores.map(\.kind) == [.evaluation, .interim(games: 200)])
    #expect(scores.map(\.difference) == [-10, 0] && scores[1].first.games == 30)
    // For equal intervals, Welch's test has 58 degrees of freedom, whose quantile is 2.0017; the quantile for 29 is
    // 2.0452.
    let margin = try #require(scores[1].differenceMargin)
    #expect(abs(margin - 2.00172 * 6 / 2.04523 * 2.0.squareRoot()) < 1e-3)
    #expect(scores.map(\.isUnderpowered) == [false, true])
    // Without evaluations the score is that of the training games, which has no interval.
    let plain = try run("plain", config: config, training: [100: 3, 200: 4])
    let other = try RunComparison(plain, short).scores
    #expect(other.map(\.kind) == [.training(games: 200)] && other[0].difference == 5)
    #expect(other[0].differenceMargin == nil && other[0].smallestDifference == nil && !other[0].isUnderpowered)
    #expect(try RunComparison(plain, run("late", config: "", training: [150: 1])).scores.isEmpty)
  }

  /// The first of several runs is the baseline of the other ones.
  @Test func moreRunsAreComparedWithTheFirst() throws {
    let runs = try [
      run("one", config: "seed: 1", training: [100: 1], final: (30, (100, 5))),
      run("two", config: "seed: 2\nlearner.alpha: 0.5", training: [100: 1], final: (30, (120, 5))),
      run("three", config: "seed: 1", training: [50: 7, 100: 4]),
    ]
    let comparison = try BaselineComparison(runs)
    #expect(comparison.settings.map(\.key) == ["seed", "learner.alpha"])
    #expect(comparison.settings.map(\.values) == [["1", "2", "1"], ["1.0", "0.5", "1.0"]])
    #expect(comparison.pairs.map { $0.scores.map(\.kind) } == [[.evaluation], [.training(games: 100)]])
    #expect(comparison.pairs.map { $0.scores.map(\.difference) } == [[20], [3]])
    let pair = try RunComparison(runs[0], runs[1]).scores
    #expect(comparison.pairs[0].scores[0].differenceMargin == pair[0].differenceMargin)
    let json = try JSONSerialization.jsonObject(with: Data(comparison.json.utf8)) as? [String: Any]
    #expect((json?["runs"] as? [[String: Any]])?.map { $0["path"] as? String } == runs && json?["scores"] == nil)
    let others = try #require(json?["comparisons"] as? [[String: Any]])
    #expect(others.map { $0["path"] as? String } == Array(runs.dropFirst()))
    #expect(others.map { ($0["scores"] as? [[String: Any]])?.first?["difference"] as? Double } == [20, 3])
  }

  @Test func whatIsNoRunIsNamed() throws {
    let one = try run("one", config: "")
    #expect(throws: PlotError.noMetricsFile(path: folder.path)) { try RunComparison(one, folder.path) }
    try FileManager.default.removeItem(atPath: one + "/config.yaml")
    let error = #expect(throws: PlotError.self) { try RunComparison(one, one) }
    #expect(error.map { "\($0)".hasPrefix(one + ": no config.yaml beside the metrics") } == true)
  }
}
