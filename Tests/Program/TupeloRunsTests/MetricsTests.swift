import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloRuns
import TupeloTraining

/// Records in metrics.jsonl are read back by us and by Foundation.
@Suite struct MetricsTests {
  private let folder: MetricsFolder

  init() throws { folder = try MetricsFolder() }

  @Test func linesAreExactlyThis() throws {
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0)
    var record = MetricsRecord(games: 1000, moves: 118_000, seconds: 0.125, time: 1_732_170_000)
    record[.movesPerSecond] = 1e6
    record[.rolloutScoreMean] = 1052.5
    record.values["own/b \"\n\u{2028}"] = -0.0
    record.values["own/a"] = 1e-7
    record.values["own/c"] = 1e300
    try writer.append(record)
    try writer.append(MetricsRecord(games: 1000, moves: 118_000, seconds: 0.125, time: -5))
    #expect(
      try folder.text() == #"""
        {"games":1000,"moves":118000,"seconds":0.125,"time":1732170000,"rollout/score_mean":1052.5,\#
        "time/moves_per_second":1000000,"own/a":1e-07,"own/b \"\u000a\u2028":-0.0,"own/c":1e+300}
        {"games":1000,"moves":118000,"seconds":0.125,"time":-5}

        """#)
    #expect(try MetricsFile(path: folder.metrics).records.first == record)
  }

  @Test func foundationReadsTheSame() throws {
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0)
    for games in [0, 1000, 2000] { try writer.append(metricsRecord(games)) }
    try writer.synchronize()
    let lines = try folder.text().split(separator: "\n")
    #expect(lines.count == 3)
    for (line, games) in zip(lines, [0, 1000, 2000]) {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Double])
      let record = metricsRecord(games)
      let facts = [
        "games": Double(games), "moves": Double(record.moves), "seconds": record.seconds, "time": record.time,
      ]
      #expect(agree(object, record.values.merging(facts) { $1 }))
    }
  }

  /// Reads JSON that another writer makes of the same record.
  @Test func readsWhatFoundationWrites() throws {
    let fields: [String: Any] = [
      "games": 5, "moves": 7, "seconds": 1.5, "time": 2, "rollout/score_mean": 0.1, "é\u{1}🎲\"\\": -3e-8,
      "gone": NSNull(),
    ]
    let data = try JSONSerialization.data(withJSONObject: fields)
    try folder.write(Array(data) + Array("\r\n\n".utf8))
    let expected = MetricsRecord(
      games: 5, moves: 7, seconds: 1.5, time: 2, values: ["rollout/score_mean": 0.1, "é\u{1}🎲\"\\": -3e-8])
    #expect(try MetricsFile(path: folder.metrics).records == [expected])
    let escaped =
      #" { "games" : 5, "moves":7,"seconds":1.5,"time":2.0,"rollout\/score_mean":1E-1,"# + "\t"
      + #""\u00e9\u0001\uD83C\udfb2\"\\":-3e-8} "#
    #expect(try MetricsFile(path: folder.write(escaped)).records == [expected])
  }

  @Test func randomRecordsReadBackEqual() throws {
    var random = TestRandom(state: 11)
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0)
    var records: [MetricsRecord] = []
    for games in 0..<500 {
      var record = MetricsRecord(
        games: games * 18_014_398_509, moves: Int.random(in: 0...1 << 53, using: &random),
        seconds: Double.random(in: 0...1e9, using: &random), time: Double.random(in: -1e10...1e10, using: &random))
      for _ in 0..<Int.random(in: 0...9, using: &random) {
        let scalars = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in
          Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &random))
        }
        let value = Double(bitPattern: random.next())
        if value.isFinite { record.values["t" + String(String.UnicodeScalarView(scalars))] = value }
      }
      records.append(record)
      try writer.append(record)
    }
    #expect(try MetricsFile(path: folder.metrics).records == records)
  }

  @Test func numbersThatAreNoneAreLeftOut() throws {
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0)
    var record = MetricsRecord(games: 1, moves: 2, seconds: 3, time: 4)
    record[.rolloutScoreMean] = .nan
    record[.rolloutScoreMax] = .infinity
    record[.tdErrorAbs] = -.infinity
    record[.stepSize] = 1
    try writer.append(record)
    #expect(try folder.text() == #"{"games":1,"moves":2,"seconds":3,"time":4,"train/step_size":1}"# + "\n")
  }

  @Test(
    arguments: [
      (MetricsRecord(games: -1, moves: 0, seconds: 0, time: 0), "games"),
      (MetricsRecord(games: 1, moves: 1 << 60, seconds: 0, time: 0), "moves"),
      (MetricsRecord(games: 1, moves: 0, seconds: -.infinity, time: 0), "seconds"),
      (MetricsRecord(games: 1, moves: 0, seconds: -1, time: 0), "seconds"),
      (MetricsRecord(games: 1, moves: 0, seconds: 0, time: .nan), "time"),
      (MetricsRecord(games: 1, moves: 0, seconds: 0, time: 0, values: ["moves": 1]), "moves"),
    ] as [(MetricsRecord, String)]) func refusesWhatIsNoRecord(_ record: MetricsRecord, _ key: String) throws
  {
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0)
    #expect(throws: MetricsError.unfit(path: folder.metrics, key: key)) { try writer.append(record) }
    #expect(try folder.text() == "")
  }

  /// The clock may jump, but the games may not go back.
  @Test func onlyGamesAreInOrder() throws {
    let writer = try MetricsWriter(path: folder.metrics, resumingAt: 0)
    try writer.append(MetricsRecord(games: 10, moves: 1, seconds: 5, time: 1000))
    try writer.append(MetricsRecord(games: 10, moves: 1, seconds: 5, time: -1000))
    #expect(throws: MetricsError.behind(path: folder.metrics, games: 9, previous: 10)) {
      try writer.append(MetricsRecord(games: 9, moves: 1, seconds: 5, time: 0))
    }
    #expect(try MetricsFile(path: folder.metrics).records.map(\.time) == [1000, -1000])
  }

  @Test func progressAndEvaluationFillARecord() throws {
    var progress = TrainingProgress()
    progress.games = 4
    progress.freshGames = 4
    progress.moves = 800
    progress.scoreSum = 10_000
    progress.scoreMax = 4000
    progress.outcomes[10] = 2
    progress.outcomes[11] = 1
    progress.outcomes[15] = 1
    progress.absoluteErrorSum = 1600
    progress.seconds = 0.5
    var record = MetricsRecord(games: 4, moves: 800, seconds: 0.5, time: 0)
    record.add(TrainingProgress())
    #expect(record.values.isEmpty)
    record.add(progress)
    #expect(
      record.values == [
        "rollout/score_mean": 2500, "rollout/score_max": 4000, "rollout/rate_2048": 0.5, "rollout/rate_4096": 0.25,
        "rollout/rate_8192": 0.25, "rollout/rate_16384": 0.25, "rollout/rate_32768": 0.25, "rollout/moves_mean": 200,
        "train/td_error_abs": 2, "time/moves_per_second": 1600,
      ])
    var measured = MetricsRecord(games: 4, moves: 800, seconds: 0.5, time: 0)
    let results = [100, 300].map { GameResult(score: $0, moves: 10, outcome: 7) }
    measured.add(try #require(EvaluationReport(results: results, seed: 1, seconds: 1)), plies: 3)
    // Deviations of 100: variance 20000, standard error 100; Student's t for one degree of freedom is 12.706.
    #expect(measured.values.count == 6 && measured[.evalScoreMean] == 200 && measured[.evalGames] == 2)
    #expect(abs((measured[.evalScoreLow] ?? 0) - (200 - 1270.62)) < 0.01)
    #expect(abs((measured[.evalScoreHigh] ?? 0) - (200 + 1270.62)) < 0.01)
    measured.add(try #require(EvaluationReport(results: Array(results.prefix(1)), seed: 1, seconds: 1)), plies: 1)
    #expect(measured[.evalScoreMean] == 100)
  }

  @Test func tableIsSound() {
    let tags = Metric.table.map(\.tag)
    #expect(tags.count == 27 && Set(tags).count == 27)
    for metric in Metric.table {
      #expect(metric.tag.wholeMatch(of: /(rollout|eval|final|train|time)\/[a-z0-9_]+/) != nil, "\(metric.tag)")
      #expect(Metric.named(metric.tag) == metric)
      #expect(!metric.meaning.isEmpty && !metric.healthy.isEmpty && !(metric.meaning + metric.healthy).contains("|"))
    }
  }

  @Test func articleHasTheTable() throws {
    let article = try Repository.text(of: "Sources/Train/TupeloRuns/TupeloRuns.docc/Metrics.md")
    #expect(article.contains("\n\n\(Metric.reference)\n\n"), "its table of metrics should be:\n\(Metric.reference)")
  }

  /// The example of the article about metrics.
  @Test func articleExample() throws {
    let folder = folder.path
    let writer = try MetricsWriter(path: folder + "/metrics.jsonl", resumingAt: 0)
    let events = try EventFileWriter(folder: folder, resumingAt: 0, time: 1_732_170_000)
    var record = MetricsRecord(games: 100, moves: 11_800, seconds: 0.5, time: 1_732_170_001)
    record[.rolloutScoreMean] = 1052.5
    try writer.append(record)
    try events.append(record)
    let file = MetricsFile(path: writer.path)
    let curve = try LearningCurve(name: "run", file: file, metric: "rollout/score_mean", axis: .games)
    let picture = PlotDrawing([curve], metric: "rollout/score_mean", axis: .games).svg
    #expect(picture.hasPrefix("<svg ") && picture.contains(">1.052k<"))
  }

  /// Scores belong to games from a new board: without such games, there is no score to report.
  @Test func withoutFreshGamesThereIsNoScore() {
    var progress = TrainingProgress()
    progress.games = 5
    progress.moves = 100
    progress.absoluteErrorSum = 300
    var record = MetricsRecord(games: 5, moves: 100, seconds: 1, time: 0)
    record.add(progress)
    #expect(record[.rolloutScoreMean] == nil && record[.rolloutScoreMax] == nil)
    let rates = Metric.table.filter { $0.tag.hasPrefix("rollout/rate_") }
    #expect(rates.count == 6 && rates.allSatisfy { record[$0] == nil })
    #expect(record[.rolloutMovesMean] == 20 && record[.tdErrorAbs] == 3)
  }
}
