internal import TupeloSelfPlay

/// The statistics of all games of a run. Counts have 64 bits: a run in the page soon makes more than 2^31 moves, and
/// `Int` has 32 bits there.
struct LearningTotals {
  var games: Int64 = 0
  var moves: Int64 = 0
  /// The sum of scores.
  var scoreSum = 0.0
  var scoreMax = 0.0
  /// The sum of |TD error| over all updates, in score points.
  var errorSum = 0.0
  /// The number of games by the exponent of their largest tile.
  var outcomes = [Int64](repeating: 0, count: Self.outcomeCount)

  /// Exponents go up to 17, the tile 131072.
  static var outcomeCount: Int { 18 }

  /// The number of games since the last multiple of `period`.
  func games(over period: Int) -> Int { Int(truncatingIfNeeded: games % Int64(period)) }

  mutating func add(_ result: EpisodeResult) {
    games += 1
    moves += Int64(result.moves)
    scoreSum += result.score
    scoreMax = max(scoreMax, result.score)
    errorSum += result.absoluteErrors
    outcomes[min(result.outcome, Self.outcomeCount - 1)] += 1
  }
}
