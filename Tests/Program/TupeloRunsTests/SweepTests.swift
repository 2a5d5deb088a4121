import Foundation
import TestSupport
import Testing
import TupeloNetwork
import TupeloReports
import TupeloRuns
import TupeloTraining

@Suite final class SweepPlanTests {
  private let folder = TemporaryFile.path("sweep")

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("network:\n  patterns: \"0123 4567\"\n", to: "small.yaml")
    try write("network:\n  patterns: \"01\"\nlearner:\n  alpha: 0.25\n", to: "tiny.yaml")
  }

  deinit { TemporaryFile.remove(folder) }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  private func request(
    _ files: [String] = [], seeds: String = "1", set: [String] = [], vary: [String] = []
  ) -> SweepPlan.Request {
    var request = SweepPlan.Request(folder: "out")
    request.configurations = files.map { folder + "/" + $0 }
    (request.seeds, request.settings, request.axes) = (seeds, set.map(Assignment.init), vary)
    return request
  }

  private func problems(_ request: SweepPlan.Request) -> [String] {
    do {
      _ = try SweepPlan(request, environment: [:])
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  /// The plan is written by hand: two configurations, two values, two seeds.
  @Test func everyCombinationSeedBySeed() throws {
    let plan = try SweepPlan(
      request(["small.yaml", "tiny.yaml"], seeds: "3,7", set: ["training.games=2k"], vary: ["learner.alpha=0.5, 1.0"]),
      environment: [:])
    #expect(
      plan.runs.map(\.name) == [
        "small__alpha=0.5__seed=3", "small__alpha=1.0__seed=3", "tiny__alpha=0.5__seed=3", "tiny__alpha=1.0__seed=3",
        "small__alpha=0.5__seed=7", "small__alpha=1.0__seed=7", "tiny__alpha=0.5__seed=7", "tiny__alpha=1.0__seed=7",
      ])
    let run = plan.runs[6]
    #expect(run.variant == "tiny__alpha=0.5" && run.seed == 7 && run.folder == "out/tiny__alpha=0.5__seed=7")
    #expect(
      run.arguments(resuming: false) == [
        "train", "--config", folder + "/tiny.yaml", "--set", "training.games=2k", "--set", "learner.alpha=0.5",
        "--seed",
        "7", "--output", "out/tiny__alpha=0.5__seed=7",
      ])
    #expect(
      run.arguments(resuming: true, settings: ["a=b"]) == [
        "train", "--resume", "out/tiny__alpha=0.5__seed=7", "--set", "a=b",
      ])
    #expect(run.command(resuming: true) == "tupelo train --resume out/tiny__alpha=0.5__seed=7")
    #expect(run.command("/my bin/tupelo", resuming: true).hasPrefix("'/my bin/tupelo' train --resume out/"))
    #expect(run.configuration.stepSize.alpha == 0.5 && run.configuration.training.games == 2000)
    #expect(run.configuration.seed == 7 && run.configuration.output.directory == run.folder)
  }

  @Test func twoAxesAndNoConfiguration() throws {
    let plan = try SweepPlan(
      request(seeds: "1-2", vary: ["training.games=10,20", "evaluation.games=5,6"]), environment: [:])
    #expect(
      plan.runs.prefix(4).map(\.name) == [
        "run__training.games=10__evaluation.games=5__seed=1", "run__training.games=10__evaluation.games=6__seed=1",
        "run__training.games=20__evaluation.games=5__seed=1", "run__training.games=20__evaluation.games=6__seed=1",
      ])
    #expect(plan.runs.map(\.seed) == [1, 1, 1, 1, 2, 2, 2, 2])
    let alone = try SweepPlan(request(), environment: ["TUPELO_LEARNER_ALPHA": "0.125"]).runs
    #expect(alone.map(\.name) == ["run__seed=1"] && alone[0].configuration.stepSize.alpha == 0.125)
    // A run that resumes uses variables, too, but not in place of the settings of the sweep.
    let variables = ["TUPELO_SEED": "9", "TUPELO_NETWORK_LAYOUT": "4x5", "TUPELO_OUTPUT_KEEP": "2"]
    let hidden = try SweepPlan(
      request(set: ["network.patterns=0123", "training.games=10"]), environment: variables
    ).runs[0]
    #expect(
      hidden.arguments(resuming: true) == [
        "train", "--resume", "out/run__seed=1", "--set", "network.patterns=0123", "--set", "seed=1",
      ])
  }

  /// Values with commas, and values that give equal names.
  @Test func valuesWithCommas() throws {
    // A label has 40 letters, so that the last pattern makes no difference to it.
    let (patterns, label) = ("0123 4567 89ab cdef 048c 159d 26ae 37bf", "0123-4567-89ab-cdef-048c-159d-26ae-37bf-")
    let runs = try SweepPlan(
      request(
        set: ["learner.alpha_schedule=[1k=0.5, 2k=0.25]"],
        vary: ["network.patterns=\(patterns.replacing(" ", with: ",")),01|\(patterns) 12|01,2"]),
      environment: [:]
    ).runs
    #expect(
      runs.map(\.name) == [
        "run__patterns=\(label)+1__seed=1", "run__patterns=\(label)+2__seed=1", "run__patterns=01-2__seed=1",
      ])
    #expect(runs.map(\.configuration.network.patterns.count) == [9, 9, 2])
    #expect(
      runs[1].command(resuming: false)
        == "tupelo train --set 'learner.alpha_schedule=[1k=0.5, 2k=0.25]' --set 'network.patterns=\(patterns) 12' "
        + "--seed 1 --output out/run__patterns=\(label)+2__seed=1"
    )
  }

  @Test(
    arguments: [
      ("1-5", [1, 2, 3, 4, 5]), ("1,3,7", [1, 3, 7]), ("8,2-3", [8, 2, 3]), ("0", [0]),
      ("18446744073709551615", [UInt64.max]),
      ("18446744073709551614-18446744073709551615", [UInt64.max - 1, UInt64.max]),
    ] as [(String, [UInt64])]) func readsSeeds(_ text: String, _ expected: [UInt64]) throws
  {
    #expect(try SweepPlan(request(seeds: text), environment: [:]).runs.map(\.seed) == expected)
  }

  @Test(arguments: ["", "x", "1,", "5-1", "1-2-3", "-1", "+1", "1-", "1.5", "18446744073709551616", "١"])
  func refusesSeedsThatAreNone(_ text: String) {
    #expect(problems(request(seeds: text)).first?.hasPrefix("--seeds: '") == true, "\(problems(request(seeds: text)))")
  }

  /// One number may be a seed or a number of seeds, so the error has both spellings.
  @Test func refusesOneNumber() throws {
    #expect(
      problems(request(seeds: "3")) == [
        "--seeds 3: is that one seed? Write --seeds 1-3 for 3 seeds, or --seeds 3-3 for seed 3 alone"
      ])
    #expect(try SweepPlan(request(seeds: "3-3"), environment: [:]).runs.map(\.seed) == [3])
    #expect(try SweepPlan(request(seeds: "1"), environment: [:]).runs.map(\.seed) == [1])
  }

  @Test(
    arguments: [
      ("0-18446744073709551615", "more than 10000 runs"), ("1-10001", "more than 10000 runs"),
      ("1-5000,1-5000", "--seeds: 1 is named twice"), ("1,2,1", "--seeds: 1 is named twice"),
    ] as [(String, String)]) func refusesTooManySeeds(_ text: String, _ fact: String)
  {
    let found = problems(request(seeds: text))
    #expect(found.count == 1 && found[0].contains(fact), "\(found)")
  }

  @Test func refusesTooManyRuns() {
    let values = (1...101).map { "\($0)" }.joined(separator: ",")
    let found = problems(request(seeds: "1-50", vary: ["training.games=\(values)", "evaluation.games=\(values)"]))
    #expect(found.count == 1 && found[0].contains("more than 10000 runs"), "\(found)")
  }

  /// All errors are listed together, each once.
  @Test func listsAllProblems() throws {
    let first = problems(
      request(
        seeds: "x", set: ["seed=4", "learner.alpha=1"], vary: ["b=1", "b=2", "name=a,b", "x", "a=", "b=1,1"]))
    #expect(first.count == 7, "\(first)")
    for (found, fact) in zip(
      first,
      [
        "--set seed: a sweep sets it", "--vary b: is given twice", "--vary name: a sweep sets it",
        "--vary: 'x' is not a key", "--vary: 'a=' is not a key", "--vary b: '1' is named twice", "--seeds: 'x'",
      ])
    {
      #expect(found.hasPrefix(fact), "\(found)")
    }
    try write("learner:\n  alpa: 1\n", to: "bad.yaml")
    let second = problems(
      request(
        ["bad.yaml", "small.yaml", "none.yaml"], seeds: "1-3", vary: ["learner.alpha=1,-1,x", "training.threads=1,2"]))
    for fact in [
      "bad.yaml:2: learner.alpa", "none.yaml: no such file", "--vary learner.alpha: -1", "--vary learner.alpha: 'x'",
    ] {
      #expect(second.count { $0.contains(fact) } == 1, "\(fact): \(second)")
    }
    #expect(second.count == 4, "\(second)")
    #expect(
      problems(request(set: ["learner.alpha=1"], vary: ["learner.alpha=1,2"])) == [
        "--vary learner.alpha: --set learner.alpha gives a value, too: leave one of them out"
      ])
    #expect(
      problems(request(["small.yaml", "small.yaml"])).first?.hasPrefix("two runs would be called small:") == true)
    #expect(problems(request(set: ["evaluation.games=0"])).first?.hasPrefix("run: evaluation.games is 0") == true)
    let long = String(repeating: "n", count: 100)
    #expect(
      problems(
        request(
          set: ["name=\(long)"],
          vary: [
            "learner.alpha=0.5" + String(repeating: "0", count: 37),
            "rules.four_probability=0.5" + String(repeating: "0", count: 37),
            "network.patterns=0123 4567 89ab cdef 048c 159d 26ae 37bf",
          ]
        )
      ).first?.contains("a folder's name of more than 255 bytes") == true)
  }

  /// Texts that mean the same number or the same patterns would train one run several times.
  @Test(
    arguments: [
      ("learner.alpha=0.1,0.10,1e-1", 2), ("training.games=1000,1k,2k", 1),
      ("network.patterns=0123 4567|0123,4567", 1), ("learner.alpha=0.1,0.2", 0),
    ] as [(String, Int)]) func refusesValuesThatMeanTheSame(_ axis: String, _ count: Int)
  {
    let found = problems(request(vary: [axis]))
    #expect(found.count == count && found.allSatisfy { $0.contains(": has the same settings as run__") }, "\(found)")
  }

  // MARK: What is there

  @Test func aFolderSaysHowFarItsRunIs() throws {
    var request = self.request(["small.yaml"])
    request.folder = folder
    let run = try SweepPlan(request, environment: [:]).runs[0]
    #expect(try run.state() == .fresh)
    try FileManager.default.createDirectory(atPath: run.folder, withIntermediateDirectories: true)
    #expect(try run.state() == .fresh)
    try write("x", to: run.name + "/checkpoint.safetensors")
    #expect(throws: SweepError.Problem.self) { try run.state() }
    // Settings that do not affect the weights, such as those of evaluation and output, do not matter here.
    var before = run.configuration
    before.evaluation.threads = 7
    before.output.directory = "elsewhere"
    before.training.minutes = 3
    try write(before.yaml, to: run.name + "/config.yaml")
    #expect(try run.state() == .begun)
    #expect(run.recordedGames == 0)
    let records = (1...1000).map { metricsRecord($0).json + "\n" }.joined()
    try write(records + #"{"games":5000,"mo"#, to: run.name + "/metrics.jsonl")
    #expect(run.recordedGames == 1000)
    let evaluation =
      #"{"games": 4, "score_mean": 100.5, "score_margin_95": null, "moves_per_second": 5e6, "more": [1]}"#
    try write(evaluation, to: run.name + "/evaluation.json")
    // The evaluation is that of an earlier session: the run was trained on after it.
    #expect(try run.state() == .begun)
    var record = metricsRecord(1000)
    record[.finalScoreMean] = 100.5
    try write(records + record.json + "\n", to: run.name + "/metrics.jsonl")
    func end(_ word: String) throws {
      let session =
        #"{"version": "1", "compiler": "", "system": "", "cores": 1, "arguments": [], "started": "", "games": 0, "#
      try write(#"{"sessions": [\#(session)"ending": "\#(word)"}]}"#, to: run.name + "/meta.json")
    }
    // Its minutes have ended it, or a signal, or a crash: it continues.
    for word in ["minutes", "interrupted", "crashed"] {
      try end(word)
      #expect(try run.state() == .begun, "\(word)")
    }
    try end("stopped")
    guard case .finished(let result) = try run.state() else {
      Issue.record("not finished")
      return
    }
    #expect(result.games == 4 && result.scoreMean == 100.5 && result.scoreMargin == nil && result.movesPerSecond == 5e6)
    for text in ["", "{}", evaluation.replacingOccurrences(of: "5e6", with: "-1")] {
      try write(text, to: run.name + "/evaluation.json")
      let error = #expect(throws: SweepError.Problem.self) { try run.state() }
      #expect(error?.description.hasPrefix(run.folder + "/evaluation.json: cannot be read: ") == true)
    }
    // A run continues with the settings of the sweep that do not affect the weights, and with no others.
    before.output.keep = 3
    try write(before.yaml, to: run.name + "/config.yaml")
    #expect(
      run.arguments(resuming: true)
        == ["train", "--resume", run.folder, "--set", "training.minutes=0.0", "--set", "output.keep=1"])
    request.settings = ["training.minutes=3", "output.keep=3", "evaluation.threads=5", "output.checkpoint_games=9"]
      .map(Assignment.init)
    let other = try SweepPlan(request, environment: [:]).runs[0]
    #expect(
      other.arguments(resuming: true, settings: ["evaluation.threads=1"]) == [
        "train", "--resume", run.folder, "--set", "evaluation.threads=1", "--set", "evaluation.threads=5", "--set",
        "output.checkpoint_games=9",
      ])
    before.training.games = 5
    try write(before.yaml, to: run.name + "/config.yaml")
    #expect(
      throws: SweepError.Problem.otherSettings(folder: run.folder, key: "training.games", before: "5", now: "100000")
    ) { try run.state() }
  }
}

@Suite struct SweepSummaryTests {
  private static func result(_ mean: Double, speed: Double) throws -> SweepResult {
    try JSONDecoder().decode(
      SweepResult.self,
      from: Data(#"{"games": 10, "score_mean": \#(mean), "score_margin_95": 12.5, "moves_per_second": \#(speed)}"#.utf8)
    )
  }

  /// Four runs of one variant score 1000, 1100, 1200 and 1300: the deviation is sqrt(50000 / 3), and the interval 3.182
  /// deviations over 2.
  @Test func meansOverSeeds() throws {
    var request = SweepPlan.Request(folder: "out")
    (request.seeds, request.axes) = ("1-4", ["learner.alpha=0.5,1"])
    let runs = try SweepPlan(request, environment: [:]).runs
    let means = [1000.0, 2000, 1100, 0, 1200, 0, 1300, 0]
    let endings: [SweepSummary.Ending] = try means.enumerated().map { index, mean in
      switch index {
      case 3: .failed("exit status 1: no \"space\"")
      case 5: .stopped
      case 7: .waiting
      default: .finished(try Self.result(mean, speed: mean * 1000))
      }
    }
    let summary = SweepSummary(runs, endings)
    let (whole, part) = (summary.variants[0], summary.variants[1])
    #expect(whole.name == "run__alpha=0.5" && whole.seeds == [1, 2, 3, 4] && whole.scoreMean == 1150)
    let deviation = (50000.0 / 3).squareRoot()
    #expect(abs((whole.scoreDeviation ?? 0) - deviation) < 1e-9)
    #expect(abs((whole.scoreMargin ?? 0) - 3.182446 * deviation / 2) < 1e-4)
    #expect(part.seeds == [1] && part.runs == 4 && part.scoreMean == 2000 && part.scoreDeviation == nil)
    #expect(
      summary.text == """
        variant         seeds  average score  difference
        run__alpha=0.5      4    1,150 ± 205    baseline
        run__alpha=1      1/4          2,000        +850
        ± is the 95% interval over seeds; difference: to the baseline, run__alpha=0.5
        """)
    let equal = try SweepSummary(runs, means.map { _ in .finished(try Self.result(5, speed: 1)) })
    #expect(equal.text.split(separator: "\n")[1].hasPrefix("run__alpha=0.5 "))
    // The table is by score, then in the order of the plan; summary.json keeps the order of the plan.
    let json = try JSONSerialization.jsonObject(with: Data(summary.json.utf8)) as? [String: [[String: Any]]]
    #expect(
      json?["runs"]?.map { $0["state"] as? String } == [
        "finished", "finished", "finished", "failed", "finished", "stopped", "finished", "waiting",
      ])
    #expect(json?["runs"]?[3]["error"] as? String == "exit status 1: no \"space\"")
    #expect(json?["runs"]?[2]["score_mean"] as? Double == 1100 && json?["runs"]?[2]["seed"] as? Int == 2)
    #expect(json?["variants"]?[0]["score_mean"] as? Double == 1150)
    #expect(json?["variants"]?[1]["seeds"] as? [Int] == [1])
    #expect(json?["variants"]?[1]["verdict"] as? String == "too few seeds")
    #expect(json?["variants"]?[1]["difference"] as? Double == 850)
  }

  /// A summary of two or three variants with these scores for each seed.
  private func summary(_ scores: [[Double]]) throws -> SweepSummary {
    var request = SweepPlan.Request(folder: "out")
    request.seeds = "1-\(scores[0].count)"
    request.axes = ["learner.alpha=" + (1...scores.count).map { "0.\($0)" }.joined(separator: ",")]
    let endings = try (0..<scores[0].count).flatMap { seed in
      try scores.map { SweepSummary.Ending.finished(try Self.result($0[seed], speed: 1)) }
    }
    return SweepSummary(try SweepPlan(request, environment: [:]).runs, endings)
  }

  /// Differences by `scipy.stats.ttest_ind(..., equal_var=False).confidence_interval()`: 200 has the interval 144.5 to
  /// 255.5, 20 the interval -35.5 to 75.5.
  @Test func theBestIsToldFromEveryOther() throws {
    let low = [1000.0, 1050, 980, 1020, 950]
    let (high, near) = (low.map { $0 + 200 }, low.map { $0 + 20 })
    #expect(
      try summary([low, high]).text == """
        variant         seeds  average score  difference  verdict
        run__alpha=0.2      5     1,200 ± 47   +200 ± 56   higher
        run__alpha=0.1      5     1,000 ± 47    baseline
        ± is the 95% interval over seeds; difference: to the baseline, run__alpha=0.1
        best: run__alpha=0.2
        """)
    #expect(
      try summary([low, high, high.map { $0 + 20 }]).text.hasSuffix(
        "\nnone is best: run__alpha=0.3 cannot be told from run__alpha=0.2"))
    #expect(
      try summary([near, low]).text.hasSuffix("\nnone is best: run__alpha=0.1 cannot be told from run__alpha=0.2"))
    #expect(try summary([high, low]).text.hasSuffix("\nbest: run__alpha=0.1"))
    let few = try summary([low, high].map { Array($0.prefix(4)) }).text
    #expect(few.hasSuffix("\nno verdict: it needs 5 seeds of each variant, such as --seeds 1-5"), "\(few)")
    #expect(!few.contains("verdict\n") && few.contains("+200 ± "))
  }

  /// Quantiles of Student's t from a table: 2.131 for 15 degrees of freedom, 2.042 for 30.
  @Test(arguments: [(2, 12.706), (11, 2.228), (16, 2.131), (31, 2.042)]) func intervalsAreStudents(
    _ count: Int, _ quantile: Double
  ) throws {
    var request = SweepPlan.Request(folder: "out")
    request.seeds = "1-\(count)"
    let runs = try SweepPlan(request, environment: [:]).runs
    let endings = try (1...count).map { SweepSummary.Ending.finished(try Self.result(Double($0), speed: 1)) }
    let variant = SweepSummary(runs, endings).variants[0]
    // The variance of 1...n is n (n + 1) / 12.
    let deviation = (Double(count) * Double(count + 1) / 12).squareRoot()
    #expect(abs((variant.scoreDeviation ?? 0) - deviation) < 1e-9)
    #expect(abs((variant.scoreMargin ?? 0) / deviation * Double(count).squareRoot() - quantile) < 0.002)
  }
}
