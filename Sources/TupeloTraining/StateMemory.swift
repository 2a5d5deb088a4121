internal import TupeloLearning
internal import TupeloNetwork

/// What is known of states while their weights learn.
struct StateMemory: Sendable {
  let index: StateIndex
  /// What the patterns say of the state in each slot, never negative, so that it is looked up once: they stay as they are. 0 where that is not known
  /// yet, -0 for 0.
  let patterns: WeightStorage<PlainCell>
  /// The run's, or some that nobody looks at.
  let visits: VisitCounts

  /// Memory per slot.
  static let byteCount = StateIndex.byteCount + PlainCell.byteCount

  /// `nil` for a network without weights for states.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  init?(_ specification: NetworkSpecification, visits: VisitCounts?) throws(WeightStorageError) {
    guard let index = try StateIndex(specification) else { return nil }
    self.index = index
    self.visits = if let visits { visits } else { try VisitCounts() }
    patterns = try WeightStorage(count: index.count)
  }

  /// What the patterns say of the state in a slot; `compute` says it the first time.
  @inline(__always)
  func base(slot: Int, _ compute: () -> Float) -> Float {
    let known = patterns.weight(at: slot)
    if known.bitPattern != 0 { return known }
    let base = StateIndex.base(patterns: compute())
    patterns[slot] = PlainCell(weight: base == 0 ? -0.0 : base)
    return base
  }
}
