public import CTupeloShims
public import TupeloTables

/// Finds the slot of a state that has a weight of its own. It is a hash table of 2^bits slots in buckets of sixteen.
///
/// Patterns share what they learn among states, and they cannot tell states apart that agree on every pattern. On small
/// boards that costs a tenth of the optimum (configs/RESULTS.md). One weight per state, added to the patterns' value,
/// makes up for it.
///
/// A state is known by a hash of the board up to symmetry. The bucket and 32 bits more (the tag) are compared. With
/// 2^23 slots, some two of a million states share both with a chance of 1 in 4,500. The comparison is needed: in a
/// table that does not compare, states that share a slot spoil each other's weights. A state whose bucket is full has
/// no weight, and its value is that of the patterns.
///
/// A bucket's tags fill one cache line, and so do its slots' weights. Slots are taken by compare-and-exchange and never
/// given back, so any number of threads may find and add states at once.
///
/// Soundness of the unsafe memory: `base` has 2^bits words and lives as long as `memory`. Buckets come from the top
/// bits of a hash, so all of them lie within the table. Slots that come from outside are checked by the storage they
/// are used with.
@safe
public final class StateIndex: @unchecked Sendable {
  /// The number of slots.
  public let count: Int
  /// The hash that states are found by.
  public let hash: StateHash
  @usableFromInline let base: UnsafeMutablePointer<UInt32>
  private let memory: LargeMemory

  /// Bytes per slot.
  public static let byteCount = 4

  /// An index that knows no state yet.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public init(_ specification: StateSpecification) throws(WeightStorageError) {
    count = 1 << specification.bits
    hash = StateHash(specification)
    memory = try LargeMemory(byteCount: count * Self.byteCount)
    unsafe base = memory.base.bindMemory(to: UInt32.self, capacity: count)
  }

  /// The value that a state's own weight is added to, in score points: the patterns' value, but at least 0.
  ///
  /// No state is worth less than 0. A lower value of patterns that were hardly visited would keep games away from the
  /// state, so that it could not learn.
  @inlinable @inline(__always)
  public static func base(patterns: Float) -> Float { max(patterns, 0) }

  /// The address of a slot's tag.
  @unsafe @inlinable @inline(__always)
  func word(_ slot: Int) -> UnsafeMutablePointer<UInt32> { unsafe base + slot }

  /// Asks for the cache line of a state's bucket.
  @inlinable @inline(__always)
  public func prefetch(_ hash: UInt64) {
    unsafe prefetchLine(word(self.hash.bucket(of: hash)))
  }

  /// The slot of the state with a hash; `nil` when it has none.
  @inlinable @inline(__always)
  public func slot(of hash: UInt64) -> Int? {
    let tag = self.hash.tag(of: hash)
    for step in 0..<16 {
      let slot = self.hash.slot(step, of: hash)
      let found = unsafe tupelo_load_u32(word(slot))
      if found == tag { return slot }
      if found == 0 { return nil }
    }
    return nil
  }

  /// The slot of the state with a hash. A state without a slot gets one; `nil` when its bucket is full.
  public func slot(adding hash: UInt64) -> Int? {
    let tag = self.hash.tag(of: hash)
    for step in 0..<16 {
      let slot = self.hash.slot(step, of: hash)
      let found = unsafe tupelo_compare_exchange_u32(word(slot), 0, tag)
      if found == 0 || found == tag { return slot }
    }
    return nil
  }

  /// The tag of the state in a slot; 0 for an empty slot.
  ///
  /// - Precondition: no state is added meanwhile.
  subscript(slot: Int) -> UInt32 {
    get {
      precondition(slot >= 0 && slot < count)
      return unsafe tupelo_load_u32(word(slot))
    }
    set {
      precondition(slot >= 0 && slot < count)
      unsafe tupelo_store_u32(word(slot), newValue)
    }
  }
}
