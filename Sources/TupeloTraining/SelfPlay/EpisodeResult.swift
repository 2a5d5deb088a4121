/// How one training episode went.
struct EpisodeResult {
  /// Whether it began with a new board.
  var isFresh: Bool
  var score = 0
  var moves = 0
  var largestExponent = 0
  /// Sum over the episode, in score points.
  var absoluteErrors: Double = 0
}
