public import CTupeloShims
public import TupeloLearning
public import TupeloTables

/// A fast copy of what training needs of each state: tag, value, patterns' value and visits, in 16 bytes per slot.
///
/// A look-up costs one cache line instead of four. All but the visits are copies: `StateIndex` knows the states and the
/// weight storage has their weights. An entry that is missing here is filled from there.
///
/// Any number of threads may use it at once. Of updates in the same instant, visits and values of some may be lost; the
/// next update makes up for it.
///
/// Soundness of the unsafe memory: `base` has 2^bits entries and lives as long as `memory`. Slots that come from a hash
/// are below that; other slots are checked.
@safe
public final class StateMemory: @unchecked Sendable {
  public let index: StateIndex
  /// The hash that states are found by.
  public let hash: StateHash
  public let count: Int
  @usableFromInline let base: UnsafeMutablePointer<UInt32>
  private let memory: LargeMemory

  /// Bytes per slot.
  public static var byteCount: Int { @inlinable @inline(__always) get { 16 } }

  /// The words of an entry.
  @usableFromInline
  enum Word: Int {
    case tag, value, patterns, visits
  }

  /// A memory without entries, over an index that knows no state yet.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`.
  public init(_ specification: StateSpecification) throws(WeightStorageError) {
    let index = try StateIndex(specification)
    (self.index, hash, count) = (index, index.hash, index.count)
    memory = try LargeMemory(byteCount: index.count * Self.byteCount)
    unsafe base = memory.base.bindMemory(to: UInt32.self, capacity: 4 * count)
  }

  @unsafe @inlinable @inline(__always)
  func word(_ word: Word, _ slot: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe base + (slot &* 4 &+ word.rawValue)
  }

  /// Asks for the cache line of a state's entry.
  @inlinable @inline(__always)
  public func prefetch(_ hash: UInt64) {
    unsafe prefetchLine(word(.tag, self.hash.slot(0, of: hash)))
  }

  /// The slot of the state with a hash; `nil` when it has no entry yet, which `add` makes.
  @inlinable @inline(__always)
  public func slot(of hash: UInt64) -> Int? {
    let tag = self.hash.tag(of: hash)
    for step in 0..<16 {
      let slot = self.hash.slot(step, of: hash)
      let found = unsafe tupelo_load_acquire_u32(word(.tag, slot))
      if found == tag { return slot }
      if found == 0 { return nil }
    }
    return nil
  }

  /// Makes an entry for a state and returns its slot; `nil` when its bucket is full.
  ///
  /// - Parameters:
  ///   - hash: the hash of the state
  ///   - patterns: the patterns' value of the state, in score points
  ///   - value: gives the value of the state for its slot, in score points
  public func add(_ hash: UInt64, patterns: Float, value: (Int) -> Float) -> Int? {
    guard let slot = index.slot(adding: hash) else { return nil }
    // The tag is set when another thread was faster, or when the search ended at an earlier slot that has no entry yet.
    if unsafe tupelo_load_acquire_u32(word(.tag, slot)) == 0 {
      self[.patterns, slot] = patterns
      self[.value, slot] = value(slot)
      unsafe tupelo_store_release_u32(word(.tag, slot), self.hash.tag(of: hash))
    }
    return slot
  }

  /// The value of the state in a slot, in score points.
  @inlinable @inline(__always)
  public func value(at slot: Int) -> Float { self[.value, slot] }

  /// The patterns' value of the state in a slot, in score points; never negative.
  @inlinable @inline(__always)
  public func patterns(at slot: Int) -> Float { self[.patterns, slot] }

  /// The visits counted in a slot: exact up to 2^24, where the count stays.
  @inlinable @inline(__always)
  public func visits(at slot: Int) -> Float { self[.visits, slot] }

  @inlinable @inline(__always)
  public func set(value: Float, at slot: Int) { self[.value, slot] = value }

  @inlinable @inline(__always)
  public func set(visits: Float, at slot: Int) { self[.visits, slot] = visits }

  @inlinable @inline(__always)
  subscript(word: Word, slot: Int) -> Float {
    get {
      precondition(slot >= 0 && slot < count)
      return unsafe Float(bitPattern: tupelo_load_u32(self.word(word, slot)))
    }
    set {
      precondition(slot >= 0 && slot < count)
      unsafe tupelo_store_u32(self.word(word, slot), newValue.bitPattern)
    }
  }
}

extension StateMemory: VisitTable {
  public static var tensorName: String { "training.state_visits" }
  public var placeCount: Int { count }
}
