internal import TupeloEngine
public import TupeloModels
public import TupeloSelfPlay

/// Statistics of a sequence of training games.
public struct TrainingProgress: Hashable, Sendable {
  public var games = 0
  /// The number of games that started from a new board. Scores and tiles count only these games.
  public var freshGames = 0
  public var moves = 0
  /// The sum of scores: score points in 2048, Sets in Set, and the sum of rewards in a game that the caller defines.
  public var scoreSum = 0.0
  /// The largest score of a game; 0 without a fresh game.
  public var scoreMax = 0.0
  /// The number of fresh games by outcome; see `GameResult.outcome`.
  public var outcomes = [Int](repeating: 0, count: GameResult.outcomes.count)
  /// The sum of |TD error| over all updates, in score points.
  public var absoluteErrorSum = 0.0
  public var seconds = 0.0

  public init() {}

  public var scoreMean: Double { freshGames == 0 ? 0 : scoreSum / Double(freshGames) }
  public var absoluteErrorMean: Double { moves == 0 ? 0 : absoluteErrorSum / Double(moves) }
  public var movesPerSecond: Double { seconds > 0 ? Double(moves) / seconds : 0 }

  /// The share of fresh games with an outcome in a range, in 0...1.
  public func rate(of range: OutcomeRange) -> Double {
    let counted = outcomes.indices.filter { range.outcomes.contains($0) }.reduce(0) { $0 + outcomes[$1] }
    return freshGames == 0 ? 0 : Double(counted) / Double(freshGames)
  }

  /// The share of fresh games whose largest tile is at least `tile`, a power of two, in 0...1.
  public func rate(of tile: Int) -> Double { rate(of: GameKind.reached(tile.trailingZeroBitCount)) }

  @usableFromInline
  package mutating func add(_ episode: EpisodeResult) {
    games += 1
    moves += episode.moves
    absoluteErrorSum += episode.absoluteErrors
    guard episode.isFresh else { return }
    // Scores of own games may be negative.
    scoreMax = freshGames == 0 ? episode.score : max(scoreMax, episode.score)
    freshGames += 1
    scoreSum += episode.score
    outcomes[min(max(episode.outcome, 0), outcomes.count - 1)] += 1
  }

  /// Adds the statistics of the games that followed.
  public mutating func add(_ other: TrainingProgress) {
    games += other.games
    if other.freshGames > 0 { scoreMax = freshGames == 0 ? other.scoreMax : max(scoreMax, other.scoreMax) }
    freshGames += other.freshGames
    moves += other.moves
    scoreSum += other.scoreSum
    for outcome in outcomes.indices { outcomes[outcome] += other.outcomes[outcome] }
    absoluteErrorSum += other.absoluteErrorSum
    seconds += other.seconds
  }
}

extension GameRules {
  /// The rates that lines about training show: in 2048 of two tiles, in Set of games with no card left.
  package func rates(of progress: TrainingProgress) -> [(name: String, rate: Double)] {
    base.milestones.map { ($0.name, progress.rate(of: $0)) }
  }
}
