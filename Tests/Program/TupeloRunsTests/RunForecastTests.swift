import Testing
import TupeloRuns

/// The remaining time of recorded runs, whose games grow longer.
@Suite struct RunForecastTests {
  private typealias Record = (games: Int, moves: Int, seconds: Double)

  /// metrics.jsonl of `tupelo train quickstart`.
  private static let quickstart: [Record] = [
    (500, 235486, 0.81), (1000, 607169, 1.25), (1500, 1059470, 1.74), (3000, 2838751, 3.67), (4500, 5050034, 5.97),
    (6000, 7554786, 8.71), (7500, 10327352, 11.83), (9000, 13439594, 15.38), (10500, 16834828, 18.98),
    (12000, 20529236, 23.25), (13500, 24411768, 27.72), (15000, 28465069, 32.14), (16500, 32595166, 36.80),
    (18000, 36898847, 41.54), (19500, 41270234, 47.52), (21000, 45731137, 52.75), (22500, 50247635, 58.36),
    (24000, 54803688, 63.94), (25500, 59452000, 70.01), (27000, 64198378, 76.07), (28500, 69016762, 82.20),
    (30000, 73811244, 90.26),
  ]

  /// metrics.jsonl of `tupelo train 4x6-tc-lambda`, with times at the run's mean speed: other programs slowed a part of
  /// the run.
  private static let layout4x6: [Record] = [
    (1000, 682539, 1.32), (2000, 1888379, 3.65), (4000, 5255970, 10.17), (5000, 7281048, 14.09),
    (10000, 19719759, 38.16), (15000, 34797801, 67.33), (20000, 51780641, 100.19), (25000, 70760971, 136.92),
    (30000, 91470113, 176.99), (35000, 113424379, 219.47), (40000, 136464711, 264.05), (45000, 160325672, 310.22),
    (50000, 184883762, 357.73), (55000, 210409763, 407.13), (60000, 236060810, 456.76), (65000, 262215834, 507.37),
    (70000, 288813233, 558.83), (75000, 315730400, 610.91), (80000, 342947807, 663.58), (85000, 370201485, 716.31),
    (90000, 397745653, 769.61), (95000, 425302647, 822.93), (100000, 453039418, 876.59),
  ]

  /// The forecasts after each record, and the seconds that were really left.
  private static func forecasts(_ records: [Record]) throws -> [(games: Int, forecast: Double, truth: Double)] {
    let end = try #require(records.last)
    var forecast = RunForecast(games: 0, moves: 0)
    var before: Record = (0, 0, 0)
    return records.map { record in
      forecast.add(
        games: record.games - before.games, moves: record.moves - before.moves,
        seconds: record.seconds - before.seconds)
      before = record
      return (record.games, forecast.secondsLeft(until: end.games), end.seconds - record.seconds)
    }
  }

  /// From a tenth of the run on, the forecast is within 25% of the truth. A forecast for games of constant length is
  /// half of it at that point.
  @Test(arguments: [0, 1])
  func theForecastHoldsFromATenthOn(_ run: Int) throws {
    let records = [Self.quickstart, Self.layout4x6][run]
    let end = try #require(records.last)
    let forecasts = try Self.forecasts(records).filter { 10 * $0.games >= end.games && $0.games < end.games }
    #expect(forecasts.count > 15)
    for (games, forecast, truth) in forecasts {
      #expect(abs(forecast / truth - 1) < 0.25, "after \(games) games: \(forecast), and \(truth) were left")
    }
    let tenth = try #require(records.first { 10 * $0.games >= end.games })
    let constant = tenth.seconds * Double(end.games - tenth.games) / Double(tenth.games)
    #expect(constant < 0.6 * (end.seconds - tenth.seconds))
  }

  /// A resumed session knows the games and moves of earlier ones, but not their time.
  @Test func aResumedSessionForecastsToo() throws {
    let records = Self.layout4x6
    let end = try #require(records.last)
    let (first, second) = (records[8], records[9])
    var forecast = RunForecast(games: first.games, moves: first.moves)
    #expect(forecast.secondsLeft(until: end.games) == .infinity)
    forecast.add(
      games: second.games - first.games, moves: second.moves - first.moves, seconds: second.seconds - first.seconds)
    let truth = end.seconds - second.seconds
    #expect(abs(forecast.secondsLeft(until: end.games) / truth - 1) < 0.25)
    #expect(forecast.secondsLeft(until: second.games) == 0)
  }

  /// Games of constant length take equally long.
  @Test func constantGames() {
    var forecast = RunForecast(games: 0, moves: 0)
    for _ in 0..<1000 { forecast.add(games: 10, moves: 300, seconds: 0.5) }
    #expect(abs(forecast.secondsLeft(until: 40_000) - 1500) < 0.001)
  }
}
