public import TupeloTables

/// How often each state has been chosen since exploration began, for count-based exploration: a move that led to a
/// state visited n times gets bonus / (1 + n) on top when the next one is chosen (the bonus of Kolter & Ng 2009,
/// "Near-Bayesian exploration in polynomial time", in the choice alone).
///
/// Counts lie in a table of 2^24 numbers, 67 MB, by a hash of the state's features: states that the network cannot tell
/// apart are one, symmetric boards among them where it shares their weights. Others that meet there share their count
/// too (Tang et al. 2017, "#Exploration"), which is then too high, so that they are explored less. Any number of
/// threads may count at once; of visits in the same instant some may be lost. While whole states learn, their visits
/// are in `StateMemory` instead.
public struct VisitCounts: VisitTable {
  public static var tensorName: String { "training.visit_counts" }
  public let placeCount = 1 << 24
  public static var byteCount: Int { PlainCell.byteCount << 24 }

  /// Exact up to 2^24 visits of one state, where it stays.
  @usableFromInline let counts: WeightStorage<PlainCell>

  /// - Throws: `WeightStorageError.outOfMemory`.
  public init() throws(WeightStorageError) {
    counts = try WeightStorage(count: placeCount)
  }

  /// Where the visits of the state in a slot are counted.
  @inlinable @inline(__always)
  public func place(_ features: borrowing FeatureBuffer, slot: Int) -> Int {
    Int(truncatingIfNeeded: features.hash(ofSlot: slot)) & 0xff_ffff
  }

  /// Asks for the cache line of a place.
  @inlinable @inline(__always)
  public func prefetch(_ place: Int) { counts.prefetch(place) }

  /// The visits counted at a place.
  @inlinable @inline(__always)
  public func visits(at place: Int) -> Float { counts[place].weight }

  @inlinable @inline(__always)
  public func set(visits: Float, at place: Int) { counts[place] = PlainCell(weight: visits) }
}
