internal import CTupeloShims
internal import TupeloEngine

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
/// masked. It is private to this object and freed with it. Not Sendable: each thread has its own.
@safe
package final class TranspositionTable {
  /// An entry; `tag` is zero while it is empty, because no search has zero plies.
  private struct Entry {
    var bits: UInt64
    var tag: UInt64
  }

  /// 64 GiB, or half of the address space.
  private static var mostBytes: Int { Int(clamping: UInt64(64) << 30) }

  private let entries: UnsafeMutablePointer<Entry>
  private let mask: Int
  private var generation: UInt64 = 0

  /// - Parameter byteCount: the memory; rounded down to a power of two, at least 1 KiB and at most 64 GiB.
  package init(byteCount: Int) {
    let wanted = max(min(byteCount, Self.mostBytes), 1024) / MemoryLayout<Entry>.stride
    let count = 1 << (Int.bitWidth - 1 - wanted.leadingZeroBitCount)
    mask = count - 1
    // Aligned to a cache line: a bucket across two lines would wait for memory twice.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Entry>.stride, alignment: 64)
    unsafe entries = memory.initializeMemory(as: Entry.self, repeating: Entry(bits: 0, tag: 0), count: count)
  }

  deinit {
    unsafe entries.deallocate()
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
