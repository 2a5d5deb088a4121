/// Exclusive access to a storage, as plain memory, for passes that write whole tables. `ReadableWeights` is for passes
/// that only read.
///
/// Only `WeightStorage.exclusively` makes one, and no worker runs while it exists. It cannot be copied. Two nested
/// passes could swap their accesses. In this case the inner pass traps at its end, before it releases its storage.
@safe
package struct ExclusiveWeights<Cell: WeightCell>: ~Copyable {
  private let storage: WeightStorage<Cell>

  fileprivate init(_ storage: WeightStorage<Cell>) { self.storage = storage }

  package var count: Int { storage.count }

  fileprivate func isAccess(to storage: WeightStorage<Cell>) -> Bool { self.storage === storage }

  func withStorage<R>(_ body: (WeightStorage<Cell>) -> R) -> R { body(storage) }

  /// Calls `body` with all weights, in the order of storage.
  package func withWeights<R>(_ body: (Span<Float>) throws -> R) rethrows -> R {
    let words = unsafe UnsafeBufferPointer(start: storage.base, count: storage.count)
    return unsafe try body(words.span)
  }

  /// Calls `body` with mutable access to every weight.
  package mutating func withMutableWeights<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    try withMutableWeights(of: 0..<count, body)
  }

  /// Calls `body` with mutable access to a range of weights, such as the weights of one stage.
  package mutating func withMutableWeights<R>(
    of range: Range<Int>, _ body: (inout MutableSpan<Float>) throws -> R
  ) rethrows -> R {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let words = unsafe UnsafeMutableBufferPointer(start: storage.base + range.lowerBound, count: range.count)
    var span = unsafe words.mutableSpan
    return try body(&span)
  }

  /// Calls `body` with mutable access to every sum.
  package mutating func withMutableSums<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    let count = count * Cell.sumCount
    return try unsafe storage.sums.withMemoryRebound(to: Float.self, capacity: count) { words in
      var span = unsafe UnsafeMutableBufferPointer(start: words, count: count).mutableSpan
      return try body(&span)
    }
  }
}

extension WeightStorage {
  /// Runs a pass that writes the whole table.
  ///
  /// - Precondition: no worker shares the storage and no other pass runs, and `body` does not replace the access by
  ///   another one; otherwise the call traps.
  package func exclusively<R>(_ body: (inout ExclusiveWeights<Cell>) throws -> R) rethrows -> R {
    try phase.exclude {
      var weights = ExclusiveWeights(self)
      defer { precondition(weights.isAccess(to: self), "a pass gave its access away to another pass") }
      return try body(&weights)
    }
  }

  /// Runs workers that read and change single weights. Any number of threads may share a storage.
  ///
  /// - Precondition: no pass over the whole table runs; otherwise the call traps.
  package func shared<R>(_ body: () throws -> R) rethrows -> R { try phase.share(body) }
}

extension ExclusiveWeights {
  /// Fixes all weights that are zero. An infinite A makes the rate |E| / A of temporal coherence 0, whatever the errors
  /// are, so the workers need not know which weights are fixed.
  ///
  /// - Precondition: cells have the two sums of temporal coherence.
  package mutating func fixZeros() {
    precondition(Cell.sumCount == 2)
    let storage = withStorage { $0 }
    withMutableSums { sums in
      for index in 0..<storage.count where storage.weight(at: index) == 0 { sums[2 * index + 1] = .infinity }
    }
  }
}
