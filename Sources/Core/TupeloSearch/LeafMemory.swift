internal import TupeloEngine

/// Remembers values of recent leaves in memory small enough for a near cache.
///
/// Two tiles that appear one after the other often lead to the same board in either order. The memory returns a value
/// only for exactly the same position, so values do not depend on it.
///
/// Soundness of the unsafe memory: it holds `capacity` entries, a power of two, zero at first, and every index is
/// masked. It is private to this object and freed with it. Not Sendable: each thread has its own.
@safe
final class LeafMemory {
  /// An entry; its bits are 0 while it is empty. No leaf is zero, because a slide leaves a tile.
  private struct Entry {
    var bits: UInt64
    var value: Float
  }

  private let entries: UnsafeMutablePointer<Entry>

  /// Entries in 64 KiB. With fewer entries clearly fewer leaves are found, and with sixteen times as many hardly more.
  private static var capacity: Int { 4096 }

  init() {
    unsafe entries = .allocate(capacity: Self.capacity)
    unsafe entries.initialize(repeating: Entry(bits: 0, value: 0), count: Self.capacity)
  }

  deinit {
    unsafe entries.deallocate()
  }

  func removeAll() {
    unsafe entries.update(repeating: Entry(bits: 0, value: 0), count: Self.capacity)
  }

  @inline(__always)
  private func slot(_ bits: UInt64) -> Int {
    // The highest bits of the product depend on all bits of the board.
    Int(truncatingIfNeeded: (bits &* 0x9e37_79b9_7f4a_7c15) >> 52) & (Self.capacity - 1)
  }

  /// The value of a leaf, and whether it is known. Without `isKnown` the value has no meaning.
  ///
  /// - Precondition: the board has no `overflow`.
  @inline(__always)
  func value(ofBits bits: UInt64) -> (value: Float, isKnown: Bool) {
    let entry = unsafe entries[slot(bits)]
    return (entry.value, entry.bits == bits)
  }

  @inline(__always)
  func store(_ value: Float, ofBits bits: UInt64) {
    unsafe entries[slot(bits)] = Entry(bits: bits, value: value)
  }
}
