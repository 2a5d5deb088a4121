public import TupeloNetwork

/// How often each state has been chosen since exploration began, for count-based exploration: a move that led to a state visited n times
/// gets bonus / (1 + n) on top when the next one is chosen (the bonus of Kolter & Ng 2009, "Near-Bayesian exploration in polynomial
/// time", in the choice alone).
///
/// Counts lie in a table of 2^24 numbers, 67 MB, by a hash of the state's features: states that the network cannot tell apart are one,
/// symmetric boards among them where it shares their weights. Others that meet there share their count too (Tang et al. 2017,
/// "#Exploration"), which is then too high, so that they are explored less. Any number of threads may count at once; of visits in the same
/// instant some may be lost.
public struct VisitCounts: Sendable {
  private static let bits = 24
  @usableFromInline static var mask: Int { @inlinable @inline(__always) get { 0xff_ffff } }
  public static let byteCount = PlainCell.byteCount << bits

  /// Exact up to 2^24 visits of one state, where it stays.
  @usableFromInline let counts: WeightStorage<PlainCell>

  /// - Throws: `WeightStorageError.outOfMemory`.
  public init() throws(WeightStorageError) {
    counts = try WeightStorage(count: 1 << Self.bits)
  }

  /// Where the visits of the state in a slot are counted. Asks for the cache line.
  @inlinable @inline(__always)
  public func place(_ features: borrowing FeatureBuffer, slot: Int) -> Int {
    let place = Int(truncatingIfNeeded: features.hash(ofSlot: slot)) & Self.mask
    counts.prefetch(place)
    return place
  }

  /// Asks for the cache line of a place, whatever is counted there; above 2^24 places begin again.
  @inlinable @inline(__always)
  public func prefetch(_ place: Int) { counts.prefetch(place & Self.mask) }

  /// The visits counted at a place.
  @inlinable @inline(__always)
  public func count(at place: Int) -> Float { counts[place & Self.mask].weight }

  /// Counts one visit more.
  @inlinable @inline(__always)
  public func add(at place: Int) {
    counts[place & Self.mask] = PlainCell(weight: counts[place & Self.mask].weight + 1)
  }

  /// Forgets all visits. Between rounds.
  public func clear() {
    counts.withMutableWeights { counts in
      for index in counts.indices { counts[index] = 0 }
    }
  }

  /// All of the table, to be kept in a checkpoint. Between rounds.
  public func withCounts<R>(_ body: (Span<Float>) throws -> R) rethrows -> R {
    try counts.withWeights(body)
  }

  public func withMutableCounts<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    try counts.withMutableWeights(body)
  }
}
