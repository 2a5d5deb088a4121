public import CTupeloShims
public import TupeloTables

/// Which states have a weight of their own, and where it lies: a hash table of 2^bits slots in buckets of sixteen.
///
/// Patterns share what they learn among states, and cannot tell states apart that agree on every pattern; on small
/// boards that costs a tenth of the optimum (configs/RESULTS.md). One weight per state on top of the patterns' makes up
/// for what they get wrong. A state is known by a hash of the board up to symmetry; of it the bucket and 32 bits more
/// are compared, which some two of a million states share with a chance of 1 in 4,500 where there are 2^23 slots.
/// (Without comparing, in 2^24 places, states that met spoiled each other nearly all that they learned: 100,000 games
/// brought 3x3 from 80.7 to 81.5% of the optimum instead of 88.4%.) A state whose bucket is full has no weight: the
/// patterns' word stays.
///
/// A bucket's tags fill one cache line, as do its slots' weights. Slots are taken by compare-and-exchange and never
/// given back, so any number of threads may find and add states at once.
///
/// Soundness of the unsafe memory: `base` has 2^bits words and lives as long as `memory`; buckets come from the top
/// bits of a hash, so there are as many as fit; slots that come from outside are checked by the storage they are used
/// with.
@safe
public final class StateIndex: @unchecked Sendable {
  /// Slots.
  public let count: Int
  /// What a state is found by.
  public let hash: StateHash
  @usableFromInline let base: UnsafeMutablePointer<UInt32>
  private let memory: LargeMemory

  /// Memory per slot.
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

  /// What a state's own weight is added to: what the patterns say, but no less than 0, which is the least a state can
  /// be worth. Where patterns that have hardly been visited say less, nothing would get there to learn better.
  @inlinable @inline(__always)
  public static func base(patterns: Float) -> Float { max(patterns, 0) }

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

  /// The slot of the state with a hash, which it is given if it has none; `nil` when its bucket is full.
  public func slot(adding hash: UInt64) -> Int? {
    let tag = self.hash.tag(of: hash)
    for step in 0..<16 {
      let slot = self.hash.slot(step, of: hash)
      let found = unsafe tupelo_compare_exchange_u32(word(slot), 0, tag)
      if found == 0 || found == tag { return slot }
    }
    return nil
  }

  /// What is compared of the state in a slot; 0 for none. While no state is added.
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
