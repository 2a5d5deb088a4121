/// The result of one training episode.
struct EpisodeResult {
  /// Whether it started from a new board.
  var isFresh: Bool
  var score = 0
  var moves = 0
  /// What ended the game, for statistics; see `GameResult.outcome`.
  var outcome = 0
  /// The sum of absolute TD errors over the episode, in score points.
  var absoluteErrors: Double = 0
}
