public import TupeloTables

/// Counts how often each state has been chosen, for count-based exploration.
///
/// When the next move is chosen, a move to a state with n visits gets a bonus of bonus / (1 + n). It is the bonus of
/// Kolter & Ng 2009, "Near-Bayesian exploration in polynomial time", in the choice alone.
///
/// The table has 2^24 counts, 67 MB, and a hash of the state's features selects one. States that the network cannot
/// tell apart share a count, among them symmetric boards where it shares their weights. Other states with the same hash
/// place share one too (Tang et al. 2017, "#Exploration"). Their count is too high, so they are explored less.
///
/// Any number of threads may count at once; of visits in the same instant some may be lost. While whole states learn,
/// `StateMemory` counts their visits instead.
public struct VisitCounts: VisitTable {
  public static var tensorName: String { "training.visit_counts" }
  public let placeCount = 1 << 24
  public static var byteCount: Int { PlainCell.byteCount << 24 }

  /// The counts: exact up to 2^24 visits of one state, where they stay.
  @usableFromInline let counts: WeightStorage<PlainCell>

  /// - Throws: `WeightStorageError.outOfMemory`.
  public init() throws(WeightStorageError) {
    counts = try WeightStorage(count: placeCount)
  }

  /// The place of the count of the state in a slot.
  @inlinable @inline(__always)
  public func place(_ features: borrowing FeatureBuffer, slot: Int) -> Int {
    Int(truncatingIfNeeded: features.hash(ofSlot: slot)) & 0xff_ffff
  }

  /// Prefetches the count at a place.
  @inlinable @inline(__always)
  public func prefetch(_ place: Int) { counts.prefetch(place) }

  /// The visits counted at a place.
  @inlinable @inline(__always)
  public func visits(at place: Int) -> Float { counts[place].weight }

  @inlinable @inline(__always)
  public func set(visits: Float, at place: Int) { counts[place] = PlainCell(weight: visits) }
}
