/// Where training episodes start. Fresh games seldom reach the late game; the other kinds move more of the training
/// there.
public enum EpisodeStart: Hashable, Sendable {
  /// From a new board.
  case fresh
  /// From the middle of the previous episode, until an episode has fewer than `moves` moves; then from a new board
  /// (Matsuzaki 2017).
  case restart(moves: Int = 10)
  /// From stages in rotation, in batches of `batch` episodes. In a later stage, each episode starts from one of the
  /// last `pool` boards that entered it (carousel; Jaskowski 2018, section III-G).
  case carousel(batch: Int = 200, pool: Int = 1000)
  /// From a new board, or with probability `share` from one of the last `pool` boards on which a tile of size `tile`
  /// first appeared.
  case pool(tile: Int = 16384, share: Double = 0.5, pool: Int = 1000)
}

extension EpisodeStart {
  /// The kinds, with the names that `episodes.start` accepts.
  enum Kind: String, CaseIterable {
    case fresh, restart, carousel, pool
  }

  /// The kind; a new one has its defaults.
  var kind: Kind {
    get {
      switch self {
      case .fresh: .fresh
      case .restart: .restart
      case .carousel: .carousel
      case .pool: .pool
      }
    }
    set {
      switch newValue {
      case .fresh: self = .fresh
      case .restart: self = .restart()
      case .carousel: self = .carousel()
      case .pool: self = .pool()
      }
    }
  }

  // Values that some kinds have. In the others they are the defaults, and setting them changes nothing.

  var restartMoves: Int {
    get { if case .restart(let moves) = self { moves } else { Self.restart().restartMoves } }
    set { if case .restart = self { self = .restart(moves: newValue) } }
  }

  var batch: Int {
    get { if case .carousel(let batch, _) = self { batch } else { Self.carousel().batch } }
    set { if case .carousel(_, let pool) = self { self = .carousel(batch: newValue, pool: pool) } }
  }

  var poolSize: Int {
    get {
      switch self {
      case .carousel(_, let pool), .pool(_, _, let pool): pool
      case .fresh, .restart: Self.pool().poolSize
      }
    }
    set {
      switch self {
      case .carousel(let batch, _): self = .carousel(batch: batch, pool: newValue)
      case .pool(let tile, let share, _): self = .pool(tile: tile, share: share, pool: newValue)
      case .fresh, .restart: break
      }
    }
  }

  var tile: Int {
    get { if case .pool(let tile, _, _) = self { tile } else { Self.pool().tile } }
    set { if case .pool(_, let share, let pool) = self { self = .pool(tile: newValue, share: share, pool: pool) } }
  }

  var share: Double {
    get { if case .pool(_, let share, _) = self { share } else { Self.pool().share } }
    set { if case .pool(let tile, _, let pool) = self { self = .pool(tile: tile, share: newValue, pool: pool) } }
  }
}
