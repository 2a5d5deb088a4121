/// Access to a storage, as plain memory, for passes that only read whole tables, such as saving a file.
///
/// Only `WeightStorage.reading` makes one. No weight changes while it exists, but other threads may read, too.
@safe
package struct ReadableWeights<Cell: WeightCell>: ~Copyable {
  private let storage: WeightStorage<Cell>

  fileprivate init(_ storage: WeightStorage<Cell>) { self.storage = storage }

  package var count: Int { storage.count }

  /// Calls `body` with all weights, in the order of storage.
  package func withWeights<R>(_ body: (Span<Float>) throws -> R) rethrows -> R {
    let words = unsafe UnsafeBufferPointer(start: storage.base, count: storage.count)
    return unsafe try body(words.span)
  }

  /// The sums that are kept with the weights, `Cell.sumCount` numbers for each.
  package func withSums<R>(_ body: (Span<Float>) throws -> R) rethrows -> R {
    let count = count * Cell.sumCount
    return try unsafe storage.sums.withMemoryRebound(to: Float.self, capacity: count) { words in
      unsafe try body(UnsafeBufferPointer(start: words, count: count).span)
    }
  }
}

extension WeightStorage {
  /// Runs a pass that only reads the whole table. Any number of such passes may run at the same time.
  ///
  /// - Precondition: no worker shares the storage and no pass that writes runs; otherwise the call traps.
  package func reading<R>(_ body: (borrowing ReadableWeights<Cell>) throws -> R) rethrows -> R {
    try phase.read {
      let access = ReadableWeights(self)
      return try body(access)
    }
  }
}
