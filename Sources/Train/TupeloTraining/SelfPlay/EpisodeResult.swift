/// The result of one training episode.
@usableFromInline
struct EpisodeResult: Sendable {
  /// Whether it started from a new board.
  @usableFromInline var isFresh: Bool
  @usableFromInline var score = 0
  @usableFromInline var moves = 0
  /// What ended the game, for statistics; see `GameResult.outcome`.
  @usableFromInline var outcome = 0
  /// The sum of absolute TD errors over the episode, in score points.
  @usableFromInline var absoluteErrors: Double = 0

  @inlinable init(isFresh: Bool) { self.isFresh = isFresh }
}
