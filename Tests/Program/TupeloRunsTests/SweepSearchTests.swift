import Foundation
import TestSupport
import Testing
import TupeloRuns
import TupeloTraining

/// Variants that are drawn at random, and successive halving.
@Suite struct SweepSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func request(
    _ axes: [String], draws: Int? = nil, seed: UInt64 = 1, halving: SweepHalving? = nil, set: [String] = []
  ) -> SweepPlan.Request {
    var request = SweepPlan.Request(folder: folder.path)
    (request.axes, request.halving, request.settings) = (axes, halving, set)
    if let draws { request.enumeration = .random(draws: draws, seed: seed) }
    return request
  }

  private func runs(_ request: SweepPlan.Request) throws -> [SweepRun] {
    try SweepPlan(request, environment: [:]).runs
  }

  private func problem(_ request: SweepPlan.Request) -> String {
    do {
      _ = try SweepPlan(request, environment: [:])
      return "no problem"
    } catch {
      return error.description
    }
  }

  // MARK: Random search

  /// Seeds determine the variants, and a longer list begins with a shorter one: a search that is extended keeps its
  /// folders.
  @Test func aSeedGivesTheSameVariants() throws {
    let axes = ["learner.alpha=0.01..1@log", "training.threads=1,2,4"]
    let ten = try runs(request(axes, draws: 10)).map(\.folder)
    #expect(try ten == runs(request(axes, draws: 10)).map(\.folder) && Set(ten).count == 10)
    #expect(try runs(request(axes, draws: 4)).map(\.folder) == Array(ten.prefix(4)))
    #expect(try runs(request(axes, draws: 10, seed: 2)).map(\.folder) != ten)
    // The name of the folder agrees with the settings of the run.
    for run in try runs(request(axes, draws: 10)) {
      let parts = run.name.components(separatedBy: "__")
      #expect(parts.count == 4 && parts[1].hasPrefix("alpha="))
      #expect(Double(parts[1].dropFirst(6)).map { Float($0) } == Float(run.configuration.stepSize.alpha))
      #expect(parts[2] == "threads=\(run.configuration.training.threads)" && parts[3] == "seed=1")
    }
  }

  /// Shares of the parts of a range are compared with the binomial distribution: 400 draws, five standard deviations.
  @Test func rangesAreEvenOnTheirScale() throws {
    func share(_ axis: String, _ part: (Double) -> Bool, of set: [String] = []) throws -> Double {
      let values = try runs(request([axis], draws: 400, set: set)).map { Double($0.configuration.stepSize.alpha) }
      #expect(values.allSatisfy { $0 >= 0.0099 && $0 <= 1 })
      return Double(values.count(where: part)) / 400
    }
    let band = 5 * (0.25 / 400.0).squareRoot()
    #expect(try abs(share("learner.alpha=0.01..1@log", { $0 < 0.1 }) - 0.5) < band)
    #expect(try abs(share("learner.alpha=0.01..1", { $0 < 0.505 }) - 0.5) < band)
    let lists = try runs(request(["learner.alpha=0.01..1", "training.threads=1,2"], draws: 400))
    #expect(abs(Double(lists.count { $0.configuration.training.threads == 1 }) / 400 - 0.5) < band)
  }

  @Test func keysOfWholeNumbersGetWholeNumbers() throws {
    let games = try runs(request(["training.games=1k..100k@log"], draws: 30)).map(\.configuration.training.games)
    #expect(games.allSatisfy { (1000...100_000).contains($0) } && Set(games).count == 30)
    // All values of a small range are found, including both ends.
    let threads = try runs(request(["training.threads=1..4"], draws: 4)).map(\.configuration.training.threads)
    #expect(threads.sorted() == [1, 2, 3, 4])
    #expect(
      problem(request(["training.threads=1..4"], draws: 5))
        == "--draws is 5, but the values of --vary make only about 4 variants: give fewer draws")
  }

  @Test func rangesThatCannotBe() {
    for text in ["1..0.5", "0.5..0.5", "0..1@log", "x..1@log", "0.5@log"] {
      let found = problem(request(["learner.alpha=\(text)"], draws: 2))
      #expect(found.hasPrefix("--vary learner.alpha: '\(text)' is not a range: give LOW..HIGH"), "\(found)")
    }
    #expect(problem(request(["learner.alpha=0.1..1"])).hasPrefix("--vary learner.alpha: a range has unlimited values"))
    #expect(problem(request([], draws: 2)).hasPrefix("--draws: nothing to draw from"))
    #expect(problem(request(["learner.alpha=0.1..x"], draws: 2)).contains("only about 1 variants"))
    #expect(problem(request(["learner.alpha=0.1..x"], draws: 1)).contains("'0.1..x' is not a number"))
  }

  // MARK: Halving

  private func ending(_ mean: Double) throws -> SweepSummary.Ending {
    .finished(
      try JSONDecoder().decode(
        SweepResult.self, from: Data(#"{"games": 10, "score_mean": \#(mean), "moves_per_second": 1}"#.utf8)))
  }

  /// Halving of nine variants keeps a third of them after each round, with three times the games: 9 at 100, 3 at 300, 1
  /// to the end.
  @Test func theBestThirdGoesOn() throws {
    let alphas = (1...9).map { "0.\($0)" }
    let plan = try SweepPlan(
      request(
        ["learner.alpha=" + alphas.joined(separator: ",")], halving: SweepHalving(firstGames: 100, factor: 3),
        set: ["training.games=5k"]), environment: [:])
    let first = plan.firstRound
    #expect(first.map(\.folder) == plan.runs.map(\.folder))
    #expect(first.allSatisfy { $0.configuration.training.games == 100 })
    #expect(first[0].arguments(resuming: false).contains("training.games=100"))
    #expect(!first[0].arguments(resuming: false).contains("training.games=5k"))
    // The best variants are 0.4, 0.9 and 0.2; one of them has failed and is replaced by the next best.
    let means = [10.0, 70, 20, 90, 30, 40, 50, 60, 80]
    var endings = try means.map(ending)
    let second = try #require(plan.round(after: first, endings))
    #expect(second.map(\.variant) == ["run__alpha=0.2", "run__alpha=0.4", "run__alpha=0.9"])
    #expect(second.allSatisfy { $0.configuration.training.games == 300 })
    #expect(
      second[0].arguments(resuming: true) == ["train", "--resume", second[0].folder, "--set", "training.games=300"])
    endings[3] = .failed("diverged")
    #expect(plan.round(after: first, endings)?.map(\.variant).sorted().first == "run__alpha=0.2")
    #expect(plan.round(after: first, endings)?.map(\.variant).contains("run__alpha=0.8") == true)
    // One variant is left, and trains for all remaining games at once.
    let third = try #require(plan.round(after: second, [1, 3, 2].map(ending)))
    #expect(third.map(\.variant) == ["run__alpha=0.4"] && third[0].configuration.training.games == 5000)
    #expect(try plan.round(after: third, [ending(5)]) == nil)
    // There is no next round before a round is over.
    endings[0] = .stopped
    #expect(plan.round(after: first, endings) == nil)
    #expect(plan.round(after: first, first.map { _ in .failed("") }) == nil)
  }

  /// The mean over seeds decides, and all seeds of a variant continue.
  @Test func seedsStayTogether() throws {
    var request = request(
      ["learner.alpha=0.1,0.2"], halving: SweepHalving(firstGames: 10, factor: 2), set: ["training.games=20"])
    request.seeds = "1-2"
    let plan = try SweepPlan(request, environment: [:])
    let next = try #require(plan.round(after: plan.firstRound, [5, 0, 5, 9].map(ending)))
    #expect(next.map(\.name) == ["run__alpha=0.1__seed=1", "run__alpha=0.1__seed=2"])
  }

  /// A folder shows which rounds its run has ended, also after later rounds.
  @Test func aFolderSaysWhichRoundsAreOver() throws {
    let plan = try SweepPlan(
      request(
        ["learner.alpha=0.1,0.2"], halving: SweepHalving(firstGames: 10, factor: 4), set: ["training.games=100"]),
      environment: [:])
    let first = plan.firstRound
    let second = try #require(plan.round(after: first, [1, 2].map(ending)))[0]
    #expect(try second.state() == .fresh && second.configuration.training.games == 100)
    let path = second.folder
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
    try write("x", "checkpoint.safetensors")
    try write(first[1].configuration.yaml, "config.yaml")
    #expect(try first[1].state() == .begun && second.state() == .begun)
    func line(_ games: Int, _ mean: Double) -> String {
      #"{"games":\#(games),"moves":1,"seconds":1,"time":0,"final/score_mean":\#(mean),"final/games":7}"# + "\n"
    }
    try write(line(10, 50), "metrics.jsonl")
    try write(#"{"games": 7, "score_mean": 50, "moves_per_second": 9}"#, "evaluation.json")
    guard case .finished(let result) = try first[1].state() else {
      Issue.record("not finished")
      return
    }
    #expect(result.scoreMean == 50 && result.games == 7 && result.movesPerSecond == 9)
    #expect(try second.state() == .begun)
    // The second round has ended; the first is still known.
    try write(second.configuration.yaml, "config.yaml")
    try write(line(10, 50) + line(100, 80), "metrics.jsonl")
    try write(#"{"games": 7, "score_mean": 80, "moves_per_second": 9}"#, "evaluation.json")
    guard case .finished(let early) = try first[1].state(), case .finished(let late) = try second.state() else {
      Issue.record("not finished")
      return
    }
    #expect(early.scoreMean == 50 && early.movesPerSecond == nil && late.scoreMean == 80 && late.movesPerSecond == 9)
    #expect(!second.wasStoppedEarly)
    // The run has ended between two rounds: its command has stopped it, or its minutes.
    try write(line(10, 50) + line(50, 60), "metrics.jsonl")
    for (word, isEarly) in [("stopped", true), ("minutes", false), ("interrupted", false)] {
      let session =
        #"{"version": "1", "compiler": "", "system": "", "cores": 1, "arguments": [], "started": "", "games": 0, "#
      try write(#"{"sessions": [\#(session)"ending": "\#(word)"}]}"#, "meta.json")
      #expect(try second.state() == .begun && second.wasStoppedEarly == isEarly, "\(word)")
    }
    // Games that belong to no round come from another sweep.
    var other = second.configuration
    other.training.games = 77
    try write(other.yaml, "config.yaml")
    #expect(throws: SweepError.Problem.self) { try second.state() }
  }

  /// A run that stops early would never reach its round's games, and the same command would train it for ever.
  @Test(arguments: ["evaluation.target=1000", "evaluation.patience=3"])
  func halvingRefusesRunsThatStopEarly(_ setting: String) {
    let halving = SweepHalving(firstGames: 1000, factor: 3)
    let settings = ["training.games=9k", "evaluation.every_games=500"]
    let axes = ["learner.alpha=0.1,0.2"]
    #expect(problem(request(axes, halving: halving, set: settings)) == "no problem")
    #expect(problem(request(axes, halving: halving, set: settings + [setting])).contains("stops runs early"))
  }

  @Test func halvingNeedsEqualGames() {
    let halving = SweepHalving(firstGames: 1000, factor: 3)
    #expect(
      problem(request(["training.games=2k,3k"], halving: halving))
        .contains("successive halving needs one number for all"))
    #expect(
      problem(request(["learner.alpha=0.1,0.2"], halving: halving, set: ["training.games=1k"]))
        == "--halving-from is 1000: give less than training.games, which is 1000")
  }
}
