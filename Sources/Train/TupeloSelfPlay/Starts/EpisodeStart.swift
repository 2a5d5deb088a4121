/// The positions where training episodes start. New games seldom reach the late game. The other kinds move a larger
/// part of the training there.
public struct EpisodeStart: Hashable, Sendable {
  /// The kinds, with the names that `episodes.start` accepts.
  public enum Kind: String, CaseIterable, Sendable {
    case fresh, restart, carousel, pool
  }

  public package(set) var kind: Kind
  // Values that only some kinds use. In other kinds they keep their defaults.
  public package(set) var restartMoves = 10
  public package(set) var batch = 200
  public package(set) var poolSize = 1000
  public package(set) var tile = 16384
  public package(set) var share = 0.5

  /// From a new board.
  public static let fresh = Self(kind: .fresh)

  /// From the middle of the previous episode, until an episode has fewer than `moves` moves; then from a new board
  /// (Matsuzaki 2017).
  public static func restart(moves: Int) -> Self { Self(kind: .restart, restartMoves: moves) }

  /// From stages in rotation, in batches of `batch` episodes. In a later stage, each episode starts from one of the
  /// last `pool` boards that entered it (carousel; Jaskowski 2018, section III-G).
  public static func carousel(batch: Int, pool: Int) -> Self { Self(kind: .carousel, batch: batch, poolSize: pool) }

  /// From a new board, or with probability `share` from one of the last `pool` boards on which a tile of size `tile`
  /// first appeared.
  public static func pool(tile: Int, share: Double, pool: Int) -> Self {
    Self(kind: .pool, poolSize: pool, tile: tile, share: share)
  }
}
