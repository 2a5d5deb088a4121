/// Where training episodes start. Fresh games seldom reach the late game; the other kinds move more of the training
/// there.
public enum EpisodeStart: Hashable, Sendable {
  /// From a new board.
  case fresh
  /// From the middle of the previous episode, until an episode has fewer than `moves` moves; then from a new board
  /// (Matsuzaki 2017).
  case restart(moves: Int)
  /// From stages in rotation, in batches of `batch` episodes. In a later stage, each episode starts from one of the
  /// last `pool` boards that entered it (carousel; Jaskowski 2018, section III-G).
  case carousel(batch: Int, pool: Int)
  /// From a new board, or with probability `share` from one of the last `pool` boards on which a tile of size `tile`
  /// first appeared.
  case pool(tile: Int, share: Double, pool: Int)
}

extension EpisodeStart {
  /// The kinds, with the names that `episodes.start` accepts.
  enum Kind: String, CaseIterable {
    case fresh, restart, carousel, pool
  }

  var kind: Kind {
    switch self {
    case .fresh: .fresh
    case .restart: .restart
    case .carousel: .carousel
    case .pool: .pool
    }
  }

  /// The keys that apply to some kinds only.
  static let keys: [(key: String, kinds: [Kind])] = [
    ("episodes.restart_moves", [.restart]), ("episodes.batch", [.carousel]), ("episodes.pool", [.carousel, .pool]),
    ("episodes.tile", [.pool]), ("episodes.share", [.pool]),
  ]

  var restartMoves: Int? {
    if case .restart(let moves) = self { moves } else { nil }
  }

  var batch: Int? {
    if case .carousel(let batch, _) = self { batch } else { nil }
  }

  var poolSize: Int? {
    switch self {
    case .carousel(_, let pool), .pool(_, _, let pool): pool
    case .fresh, .restart: nil
    }
  }

  var tile: Int? {
    if case .pool(let tile, _, _) = self { tile } else { nil }
  }

  var share: Double? {
    if case .pool(_, let share, _) = self { share } else { nil }
  }
}
