/// The result of one training episode.
@usableFromInline
package struct EpisodeResult: Sendable {
  /// Whether it started from a new board.
  @usableFromInline package var isFresh: Bool
  @usableFromInline package var score = 0
  @usableFromInline package var moves = 0
  /// The outcome of the game, for statistics; see `GameResult.outcome`.
  @usableFromInline package var outcome = 0
  /// The sum of absolute TD errors over the episode, in score points.
  @usableFromInline package var absoluteErrors: Double = 0

  @inlinable package init(isFresh: Bool) { self.isFresh = isFresh }
}
