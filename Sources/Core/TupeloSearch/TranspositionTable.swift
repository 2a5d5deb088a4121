internal import CTupeloShims
internal import TupeloBase
internal import TupeloEngine
internal import TupeloTables

/// Remembers values of searched afterstates, in memory of a fixed size.
///
/// An entry is used only for exactly the same afterstate, plies and, above 2 plies, `PathProbability`. A search gives
/// equal moves and values with and without the table. Entries of earlier searches stay valid while the evaluator's
/// values do not change. When they change, call `removeAll`.
///
/// Buckets have two entries of 16 bytes. The first keeps the deepest entry of the current search, the second the
/// latest.
///
/// Soundness of the unsafe memory: it holds `mask + 1` entries, a power of two, zero at first, and every index is
/// masked. It is private to this object, which keeps its owner alive or frees it. Not Sendable: each thread has its
/// own.
@safe
package final class TranspositionTable {
  /// An entry; `tag` is zero while it is empty, because no search has zero plies.
  private struct Entry {
    var bits: UInt64
    var tag: UInt64
  }

  /// 64 GiB, or half of the address space.
  private static var mostBytes: Int { Int(clamping: UInt64(64) << 30) }

  // The memory is aligned to a cache line or more: a bucket across two lines would wait for memory twice.
  private let entries: UnsafeMutablePointer<Entry>
  private let mask: Int
  private var generation: UInt64 = 0
  #if !hasFeature(Embedded)
  private let memory: LargeMemory
  /// The bytes of all tables of the process.
  private static let used = Locked(0)
  #endif

  /// - Parameter byteCount: the memory; rounded down to a power of two, at least 1 KiB and at most 64 GiB.
  /// - Throws: `SearchTableError` when all tables of the process together are larger than the memory that it may use,
  ///   or when the system refuses the memory.
  package init(byteCount: Int) throws(SearchTableError) {
    let wanted = max(min(byteCount, Self.mostBytes), 1024) / MemoryLayout<Entry>.stride
    let count = 1 << (Int.bitWidth - 1 - wanted.leadingZeroBitCount)
    mask = count - 1
    let bytes = count * MemoryLayout<Entry>.stride
    #if hasFeature(Embedded)
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    unsafe entries = block.initializeMemory(as: Entry.self, repeating: Entry(bits: 0, tag: 0), count: count)
    #else
    let isThere = Self.used.withLock { used in
      guard bytes <= MemoryLimit.bytes - used else { return false }
      used += bytes
      return true
    }
    guard isThere else { throw SearchTableError(byteCount: byteCount) }
    do {
      memory = try LargeMemory(byteCount: bytes)
    } catch {
      Self.used.withLock { $0 -= bytes }
      throw SearchTableError(byteCount: byteCount)
    }
    unsafe entries = memory.base.bindMemory(to: Entry.self, capacity: count)
    #endif
  }

  deinit {
    #if hasFeature(Embedded)
    unsafe entries.deallocate()
    #else
    Self.used.withLock { [byteCount] in $0 -= byteCount }
    #endif
  }

  package var byteCount: Int { (mask + 1) * MemoryLayout<Entry>.stride }

  package func removeAll() {
    generation = 0
    unsafe entries.update(repeating: Entry(bits: 0, tag: 0), count: mask + 1)
  }

  /// Begins a search. Values stored from now on may replace deep entries of earlier searches.
  package func beginSearch() {
    generation = (generation + 1) & 0xff
  }

  // A tag holds the value in bits 32...63, the generation in 24...31, the path probability in 4...23 and the plies in
  // 0...3.
  private static var keyBits: UInt64 { 0xff_ffff }

  private static func key(plies: Int, probability: UInt64) -> UInt64 {
    UInt64(truncatingIfNeeded: plies) | probability &<< 4
  }

  private func bucket(_ bits: UInt64, _ key: UInt64) -> Int {
    let hash = (bits ^ key &* 0xd134_2543_de82_ef95) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: ((hash ^ hash >> 32) >> 20) << 1) & mask
  }

  /// Prefetches the bucket of an afterstate that is about to be looked up.
  func prefetch(ofBits bits: UInt64, plies: Int, probability: UInt64) {
    unsafe tupelo_prefetch(entries + bucket(bits, Self.key(plies: plies, probability: probability)))
  }

  /// The value of an afterstate searched to `plies`; `nil` when it is not known.
  ///
  /// - Precondition: 1...15 plies; the board has no `overflow`; `probability` has twenty bits.
  func value(ofBits bits: UInt64, plies: Int, probability: UInt64) -> Float? {
    let key = Self.key(plies: plies, probability: probability)
    let bucket = bucket(bits, key)
    for index in bucket...bucket + 1 {
      let entry = unsafe entries[index]
      if entry.bits == bits, entry.tag & Self.keyBits == key {
        return Float(bitPattern: UInt32(truncatingIfNeeded: entry.tag >> 32))
      }
    }
    return nil
  }

  /// Stores a value that `value(ofBits:plies:probability:)` did not know.
  func store(_ value: Float, ofBits bits: UInt64, plies: Int, probability: UInt64) {
    let key = Self.key(plies: plies, probability: probability)
    let bucket = bucket(bits, key)
    let kept = unsafe entries[bucket].tag
    let isDeeper = kept >> 24 & 0xff == generation && Int(kept & 0xf) > plies
    let entry = Entry(bits: bits, tag: UInt64(value.bitPattern) << 32 | generation << 24 | key)
    unsafe entries[isDeeper ? bucket + 1 : bucket] = entry
  }
}
