public import TupeloNetwork

/// How often each state has been chosen while training, up to symmetry, for count-based exploration: a move that has been tried n times
/// gets bonus / (1 + n) on top when the next one is chosen (Kolter & Ng 2009, "Near-Bayesian exploration in polynomial time").
///
/// Counts lie in a table of 2^24 numbers, 67 MB, by a hash of the state's features, and states that meet there share theirs (Tang et al.
/// 2017, "#Exploration"): a shared count is too high, never too low, so at worst a state is explored less. Any number of threads may
/// count at once; a visit that two count at the same instant may be counted once.
public struct VisitCounts: Sendable {
  private static let bits = 24
  public static let byteCount = PlainCell.byteCount << bits

  /// Exact up to 2^24 visits of one state, where it stays.
  private let counts: WeightStorage<PlainCell>

  /// - Throws: `WeightStorageError.outOfMemory`.
  public init() throws(WeightStorageError) {
    counts = try WeightStorage(count: 1 << Self.bits)
  }

  /// The visits of the state in a slot.
  public func count(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    counts[index(features, slot: slot)].weight
  }

  /// Counts one visit more.
  public func add(_ features: borrowing FeatureBuffer, slot: Int) {
    let index = index(features, slot: slot)
    counts[index] = PlainCell(weight: counts[index].weight + 1)
  }

  private func index(_ features: borrowing FeatureBuffer, slot: Int) -> Int {
    Int(features.hash(ofSlot: slot) & (1 << UInt64(Self.bits) - 1))
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
