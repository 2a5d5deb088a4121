internal import ArgumentParser
internal import TupeloTraining

/// The options of a command that plays many games.
struct SeriesOptions: ParsableArguments {
  @Option(name: .customLong("seed"), help: "Random seed.")
  var givenSeed = Seed(1_000_003)

  @Option(name: .long, help: "Threads (default: all cores).")
  var threads: Int?

  func validate() throws {
    guard let threads, !(1...1024).contains(threads) else { return }
    throw CommandEnd.wrong("--threads is \(threads): give 1 to 1024")
  }

  var seed: UInt64 { givenSeed.value }

  /// The games as options say, on as many threads as a process has processors if none is said.
  func games(_ count: Int, of rules: GameRules, processors: Int) throws -> GameSeries {
    let threads = threads ?? processors
    try ThreadLimit.check(workers: threads)
    return GameSeries(rules, games: count, seed: seed, threads: threads)
  }

  /// The values that must be equal in all processes that share the games.
  func facts(_ count: Int, of rules: GameRules) -> [(name: String, value: String)] {
    [("--games", "\(count)"), ("--seed", "\(seed)"), ("the rules", "\(rules)")]
  }
}
