import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloSearch
import TupeloSolver
import TupeloTraining

@Suite struct EvaluationTests {
  /// Every number of a report except for times.
  private static func facts(_ report: EvaluationReport?) throws -> [String] {
    let report = try #require(report)
    return [
      "\(report.games) \(report.scoreMean) \(report.scoreMargin) \(report.scoreMax) \(report.scoreMedian)",
      "\(report.movesMean) \(report.outcomes)",
    ]
  }

  @Test func doesNotDependOnThreads() throws {
    let reports = try [1, 2, 5].map { threads in
      try Self.facts(Evaluation(games: 101, seed: 4, threads: threads).run { RandomAgent() })
    }
    #expect(reports[0] == reports[1] && reports[0] == reports[2])
    let other = try Self.facts(Evaluation(games: 101, seed: 5, threads: 1).run { RandomAgent() })
    #expect(other != reports[0])
  }

  /// Two interleaved games by the network itself, on one thread and on three, and games of agents that play one game at
  /// a time: each game is played as if it were alone.
  @Test func gamesInTurnAreTheSame() throws {
    let network = try Self.network()
    #expect(Greedy(network).gamesAtOnce == 2 && AnyAgent(Expectimax(network)).gamesAtOnce == 1)
    for threads in [1, 3] {
      try Self.expectSameAlone(threads: threads) { Expectimax(network) }
      try Self.expectSameAlone(threads: threads) { Greedy(network) }
      try Self.expectSameAlone(threads: threads) { AnyAgent.greedy(network) }
      try Self.expectSameAlone(threads: threads) { Expectimax(HashEvaluator()) }
      try Self.expectSameAlone(threads: threads) { RandomAgent() }
    }
  }

  /// After a stop at any time, games that have begun are played to their ends, and no other game begins, even if the
  /// stop is withdrawn.
  @Test func begunGamesAreFinished() throws {
    let network = try Self.network()
    let evaluation = Evaluation(games: 25, seed: 6, threads: 1)
    let asked = Locked(0)
    let results = evaluation.results(
      of: GameNumbers(to: 25),
      shouldStop: {
        asked.withLock {
          $0 += 1
          return $0 == 6
        }
      }, makeAgent: { Expectimax(network) })
    var alone = Expectimax(network)
    #expect(results.count == 5 && asked.withLock { $0 } == 6)
    for (game, result) in results { #expect(evaluation.play(game: game, by: &alone) == result) }
  }

  /// A network whose weights depend on tiles, with a table that is large enough for interleaved games.
  static func network() throws -> NTupleNetwork {
    let network = try NTupleNetwork(RunConfiguration.standardNetwork)
    for pattern in 0..<4 {
      for index in 0..<4096 {
        network[pattern: pattern, standardIndex: index * 17] = Float((index * 7919) % 1000)
      }
    }
    return network
  }

  private static func expectSameAlone<A: Agent>(threads: Int, _ makeAgent: @Sendable () -> A) throws {
    let evaluation = Evaluation(games: 25, seed: 6, threads: threads)
    var alone = makeAgent()
    let expected = (0..<25).map { evaluation.play(game: $0, by: &alone) }
    let shard = evaluation.results(of: GameNumbers(from: 1, to: 25, by: 3), makeAgent: makeAgent)
    #expect(shard == Dictionary(uniqueKeysWithValues: stride(from: 1, to: 25, by: 3).map { ($0, expected[$0]) }))
    let report = try #require(EvaluationReport(results: expected, seed: 6, seconds: 1))
    #expect(try Self.facts(evaluation.run(makeAgent: makeAgent)) == Self.facts(report))
  }

  /// Random play on 4x4 has been measured by many people: about 1,100 points and 118 moves.
  @Test func randomPlayScoresAsPublished() throws {
    let report = try #require(Evaluation(games: 4000, seed: 1, threads: 2).run { RandomAgent() })
    #expect((1060...1140).contains(report.scoreMean))
    #expect((115...121).contains(report.movesMean))
  }

  @Test func reportCountsWhatItShould() throws {
    let results = [
      GameResult(score: 100, moves: 10, outcome: 7), GameResult(score: 300, moves: 30, outcome: 8),
      GameResult(score: 200, moves: 20, outcome: 11), GameResult(score: 600, moves: 40, outcome: 16),
    ]
    let report = try #require(EvaluationReport(results: results, seed: 9, seconds: 2))
    #expect(report.scoreMean == 300 && report.scoreMax == 600 && report.scoreMedian == 250)
    #expect(report.movesMean == 25 && report.movesPerSecond == 50)
    // The deviations are -200, 0, -100, 300: variance 140000 / 3, standard error sqrt(140000 / 12). Student's t for
    // three degrees of freedom comes from a table.
    #expect(abs(report.scoreMargin / (140000.0 / 12).squareRoot() - 3.182446) < 1e-5)
    // The other report has four such scores: six degrees of freedom, and the 80% quantile of the normal distribution.
    let error = (140000.0 / 6).squareRoot()
    #expect(abs(report.smallestDifference / error - (2.446912 + 0.841621)) < 1e-5)
    let estimate = try #require(MeanEstimate(of: results.map { Double($0.score) }))
    #expect(estimate.mean == 300 && abs(estimate.margin - report.scoreMargin) < 1e-9)
    #expect(report.rate(of: 256) == 0.75 && report.rate(of: 2048) == 0.5 && report.rate(of: 65536) == 0.25)
    #expect(EvaluationReport(results: [], seed: 1, seconds: 1) == nil)
    let json = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
    #expect(json?["score_mean"] as? Double == 300 && json?["games"] as? Int == 4)
    #expect((json?["reach_rates"] as? [String: Double])?["2048"] == 0.5)
    #expect(report.description.split(separator: "\n").allSatisfy { $0.count <= 60 })
  }

  /// A report contains no tile that the board cannot hold; the solver knows every position that play can reach.
  @Test(arguments: [(2, 2, 0.1), (2, 2, 0), (2, 3, 0.1), (3, 2, 0)])
  func smallBoardsReportTheirLargestTiles(_ rows: Int, _ columns: Int, _ fourProbability: Double) throws {
    let rules = try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: fourProbability)
    let solver = try BoardSolver(rules: rules, threads: 1)
    let policy = solver.value(ofGreedyPolicyOf: solver.solve())
    let largest = try #require((0..<18).last { policy.reachProbability(ofExponent: $0) > 0 })
    #expect(rules.largestExponent == largest && rules.milestones.map(\.value) == [1 << (largest - 1), 1 << largest])
    let report = try #require(
      Evaluation(games: 50, seed: 1, threads: 1, rules: rules).run { RandomAgent(shape: rules.shape) })
    #expect(report.outcomes.map(\.value) == rules.milestones.map(\.value))
  }

  @Test func largeBoardsReportFrom256() throws {
    func tiles(_ rows: Int, _ columns: Int) throws -> [Int] {
      let rules = try Rules(shape: BoardShape(rows: rows, columns: columns))
      let results = [GameResult(score: 0, moves: 1, outcome: 8)]
      return try #require(EvaluationReport(results: results, rules: .board(rules), seed: 1, seconds: 1)).outcomes.map(
        \.value)
    }
    #expect(try tiles(3, 3) == [256, 512, 1024])
    #expect(try tiles(4, 3) == [256, 512, 1024, 2048, 4096, 8192])
    #expect(try tiles(4, 4) == [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])
    #expect(
      Rules.standard.milestones.map(\.value) == [2048, 8192] && Rules.standard.largestExponent == Board.maximumExponent)
    #expect(try Rules(shape: BoardShape(rows: 3, columns: 3)).milestones.map(\.value) == [512, 1024])
  }

  @Test func recordReplaysTheEvaluatedGame() throws {
    let evaluation = Evaluation(games: 1, seed: 11, threads: 1)
    var agent = RandomAgent()
    let result = evaluation.play(game: 3, by: &agent)
    let record = evaluation.record(game: 3, by: &agent, name: "random", model: nil)
    let end = try #require(try GameRecord(text: record.text).replay().last)
    #expect(end.score == result.score && record.steps.count == result.moves)
  }

  @Test func stopsWhenAsked() {
    #expect(Evaluation(games: 10, seed: 1, threads: 2).run(shouldStop: { true }) { RandomAgent() } == nil)
  }

  /// The sample of the module's README also shows how well such a short training plays.
  @Test func aShortTrainingPlaysBetterThanChance() throws {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification.named("17x4")
    configuration.training.games = 100
    let trainer = try Trainer(configuration)
    try trainer.train()
    let network = try trainer.network()
    let report = Evaluation(games: 20, seed: 1, threads: 2).run { Expectimax(network) }
    #expect(trainer.games == 100)
    #expect((report?.scoreMean ?? 0) > 1100)
  }

  /// An interrupted evaluation of several processes is a shorter series, without the games after the first gap.
  @Test func gamesAfterAGapDoNotCount() {
    func results(_ games: [Int]) -> [Int: GameResult] {
      Dictionary(uniqueKeysWithValues: games.map { ($0, GameResult(score: $0, moves: 1, outcome: 1)) })
    }
    for (games, expected) in [([0, 1, 2], 3), ([0, 1, 3, 4], 2), ([1, 2], 0), ([], 0), ([2, 0, 1, 5], 3)] {
      #expect(GameSeries.series(of: results(games)) == results(Array(0..<expected)))
    }
  }
}
