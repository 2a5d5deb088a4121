/// Statistics of a stretch of training games.
public struct TrainingProgress: Hashable, Sendable {
  public var games = 0
  /// The games that started from a new board. Scores and tiles are of these games only.
  public var freshGames = 0
  public var moves = 0
  /// The sum of scores, in score points.
  public var scoreSum = 0
  public var scoreMax = 0
  /// The number of fresh games by the exponent of their largest tile.
  public var largestExponents = [Int](repeating: 0, count: 18)
  /// The sum of |TD error| over all updates, in score points.
  public var absoluteErrorSum = 0.0
  public var seconds = 0.0

  public init() {}

  public var scoreMean: Double { freshGames == 0 ? 0 : Double(scoreSum) / Double(freshGames) }
  public var absoluteErrorMean: Double { moves == 0 ? 0 : absoluteErrorSum / Double(moves) }
  public var movesPerSecond: Double { seconds > 0 ? Double(moves) / seconds : 0 }

  /// The share of fresh games whose largest tile is at least `tile`, in 0...1.
  public func rate(of tile: Int) -> Double {
    freshGames == 0 ? 0 : Double(largestExponents[tile.trailingZeroBitCount...].reduce(0, +)) / Double(freshGames)
  }

  mutating func add(_ episode: EpisodeResult) {
    games += 1
    moves += episode.moves
    absoluteErrorSum += episode.absoluteErrors
    guard episode.isFresh else { return }
    freshGames += 1
    scoreSum += episode.score
    scoreMax = max(scoreMax, episode.score)
    largestExponents[episode.largestExponent] += 1
  }

  /// Adds the stretch of games that followed.
  public mutating func add(_ other: TrainingProgress) {
    games += other.games
    freshGames += other.freshGames
    moves += other.moves
    scoreSum += other.scoreSum
    scoreMax = max(scoreMax, other.scoreMax)
    for exponent in largestExponents.indices { largestExponents[exponent] += other.largestExponents[exponent] }
    absoluteErrorSum += other.absoluteErrorSum
    seconds += other.seconds
  }
}
