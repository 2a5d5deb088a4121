/// Counts in how many states of a batch each weight occurs. The counts are in a hash table, which a new batch number
/// empties.
struct OccurrenceCounts: Sendable {
  private struct Entry: Sendable {
    var index: UInt32 = 0
    /// The batch of the entry; entries of other batches are empty.
    var batch: UInt32 = 0
    /// The last state in which the weight occurred.
    var row: UInt32 = 0
    var count: UInt32 = 0
  }

  private var entries: [Entry]
  private let shift: UInt32
  private var batch: UInt32 = 1

  /// - Parameter capacity: the largest number of different weights in a batch; the table has at least twice as many
  ///   places to keep chains short.
  init(capacity: Int) {
    var bits: UInt32 = 4
    while 1 << Int(bits) < capacity * 2 { bits += 1 }
    entries = Array(repeating: Entry(), count: 1 << Int(bits))
    shift = 32 - bits
  }

  mutating func beginBatch() {
    batch &+= 1
    guard batch == 0 else { return }
    for place in entries.indices { entries[place].batch = 0 }
    batch = 1
  }

  /// Counts an occurrence of a weight, once per state.
  ///
  /// - Returns: the place of the weight's count, valid until the next batch.
  @inline(__always)
  mutating func add(_ index: UInt32, row: Int) -> Int {
    let row = UInt32(truncatingIfNeeded: row)
    // The multiplier is 2^32 over the golden ratio. It makes the high bits depend on the whole index.
    var place = Int((index &* 0x9e37_79b9) >> shift)
    while entries[place].batch == batch {
      if entries[place].index == index {
        if entries[place].row != row {
          entries[place].row = row
          entries[place].count += 1
        }
        return place
      }
      place = (place + 1) & (entries.count - 1)
    }
    entries[place] = Entry(index: index, batch: batch, row: row, count: 1)
    return place
  }

  @inline(__always)
  func count(at place: Int) -> UInt32 { entries[place].count }
}
