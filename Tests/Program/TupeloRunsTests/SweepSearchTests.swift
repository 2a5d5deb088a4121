import Foundation
import TestSupport
import Testing
import TupeloReports
import TupeloTraining

/// Variants that are drawn at random.
@Suite struct SweepSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func request(
    _ axes: [String], draws: Int? = nil, seed: UInt64 = 1, set: [String] = []
  ) -> SweepPlan.Request {
    var request = SweepPlan.Request(folder: folder.path)
    (request.axes, request.settings) = (axes, set.map(Assignment.init))
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
}
