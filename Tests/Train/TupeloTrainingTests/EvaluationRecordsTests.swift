import Testing
import TupeloEngine
import TupeloSearch
import TupeloTraining

@Suite struct EvaluationRecordsTests {
  @Test(
    arguments: [
      ([5], [0, 0, 0]), ([1, 2], [1, 0, 1]), ([2, 1], [0, 1, 0]), ([3, 1, 2], [0, 1, 2]), ([7, 7, 7, 7], [0, 0, 0]),
      ([4, 9, 1, 9, 4, 1, 4], [1, 2, 0]), ([10, 30, 20, 60], [3, 0, 1]),
    ] as [([Int], [Int])]) func bestWorstMedian(_ scores: [Int], _ games: [Int]) throws
  {
    let results = scores.map { GameResult(score: $0, moves: 1, outcome: 1) }
    let records = try #require(EvaluationRecords(results: results))
    #expect([records.best, records.worst, records.median] == games)
    let report = try #require(EvaluationReport(results: results, seed: 1, seconds: 1))
    #expect(report.records == records)
    let sorted = scores.sorted()
    #expect(scores[records.median] == sorted[sorted.count / 2] && scores[records.best] == report.scoreMax)
    // The median is the middle score, or the mean of the two in the middle.
    if scores.count % 2 == 1 {
      #expect(report.scoreMedian == Double(scores[records.median]))
    } else {
      let (low, high) = (sorted[sorted.count / 2 - 1], sorted[sorted.count / 2])
      #expect(report.scoreMedian - Double(low) == Double(high) - report.scoreMedian)
    }
  }

  @Test func nothingWithoutGames() {
    #expect(EvaluationRecords(results: []) == nil)
  }

  @Test func eachGameIsNamedOnce() throws {
    func named(_ scores: [Int]) throws -> [String] {
      let results = scores.map { GameResult(score: $0, moves: 1, outcome: 1) }
      return try #require(EvaluationRecords(results: results)).named.map { "\($0.name) \($0.game)" }
    }
    #expect(try named([5]) == ["best 0"])
    #expect(try named([1, 2]) == ["best 1", "worst 0"])
    #expect(try named([3, 1, 2]) == ["best 0", "median 2", "worst 1"])
  }

  /// The numbers lead back to games with those scores, at any number of threads.
  @Test(arguments: [1, 3]) func gamesPlayAgain(threads: Int) throws {
    let evaluation = Evaluation(games: 51, seed: 21, threads: threads)
    let report = try #require(evaluation.run { RandomAgent() })
    var agent = RandomAgent()
    func score(of game: Int) throws -> Int {
      let record = evaluation.record(game: game, by: &agent, name: "random", model: nil)
      return try #require(record.replay().last).score
    }
    #expect(try score(of: report.records.best) == report.scoreMax)
    #expect(try Double(score(of: report.records.median)) == report.scoreMedian)
    let scores = (0..<51).map { evaluation.play(game: $0, by: &agent).score }
    #expect(try score(of: report.records.worst) == scores.min())
  }
}
