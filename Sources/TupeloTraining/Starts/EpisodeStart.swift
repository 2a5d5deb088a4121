/// Where training episodes start. Fresh games seldom get to the late game; the others put more of the training there.
public enum EpisodeStart: Hashable, Sendable {
  /// Always from a new board.
  case fresh
  /// After an episode again from the board in the middle of it, and from the middle of that one, until an episode has
  /// fewer than `moves` moves (Matsuzaki 2017).
  case restart(moves: Int)
  /// Batches of `batch` episodes go round the stages; in a later stage, each starts from one of the last `pool` boards
  /// that entered it (Jaskowski 2018, section III-G).
  case carousel(batch: Int, pool: Int)
  /// A `share` of the episodes starts from one of the last `pool` boards on which the first tile of size `tile` had
  /// just been made.
  case pool(tile: Int, share: Double, pool: Int)
}

extension EpisodeStart {
  /// The kinds by the names that `episodes.start` takes.
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

  /// The keys that have a meaning for some kinds only.
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
