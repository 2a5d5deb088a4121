/// Exclusive access to a storage, as plain memory, for passes that write whole tables. `ReadableWeights` is for passes
/// that only read.
///
/// Only `WeightStorage.exclusively` makes one, and no worker runs while it exists. It cannot be copied. Two nested
/// passes could swap their accesses. In this case the inner pass traps at its end, before it releases its storage.
@safe
package struct ExclusiveWeights<Cell: WeightCell>: ~Copyable {
  @usableFromInline let storage: WeightStorage<Cell>
  /// The weights that the pass may change, with their sums, in ascending order. All others keep their bits.
  package let changeable: [Range<Int>]

  fileprivate init(_ storage: WeightStorage<Cell>, changing ranges: [Range<Int>]) {
    (self.storage, changeable) = (storage, ranges)
  }

  package var count: Int { storage.count }

  /// Whether the pass may change all weights of a range.
  package func isChangeable(_ range: Range<Int>) -> Bool {
    changeable.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= min($0.upperBound, count) }
  }

  /// One weight, which can be read also if it may not change.
  package subscript(index: Int) -> Float {
    @inlinable @inline(__always)
    get { storage.weight(at: index) }
    set { withMutableWeights(of: index..<index + 1) { $0[0] = newValue } }
  }

  /// Copies the weights of a range, with their sums, to the range of this length that begins at `start`.
  package mutating func copy(_ range: Range<Int>, to start: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    precondition(isChangeable(start..<start + range.count), Self.refusal)
    unsafe (storage.base + start).update(from: storage.base + range.lowerBound, count: range.count)
    let width = Cell.sumCount / 2
    unsafe (storage.sums + start * width).update(
      from: storage.sums + range.lowerBound * width, count: range.count * width)
  }

  private static var refusal: String { "a pass would change weights that may not change, such as a frozen stage" }

  fileprivate func isAccess(to storage: WeightStorage<Cell>) -> Bool { self.storage === storage }

  func withStorage<R>(_ body: (WeightStorage<Cell>) -> R) -> R { body(storage) }

  /// Calls `body` with mutable access to every weight.
  package mutating func withMutableWeights<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    try withMutableWeights(of: 0..<count, body)
  }

  /// Calls `body` with mutable access to a range of weights, such as the weights of one stage.
  ///
  /// - Precondition: the range is within one of `changeable`.
  package mutating func withMutableWeights<R>(
    of range: Range<Int>, _ body: (inout MutableSpan<Float>) throws -> R
  ) rethrows -> R {
    precondition(isChangeable(range), Self.refusal)
    let words = unsafe UnsafeMutableBufferPointer(start: storage.base + range.lowerBound, count: range.count)
    var span = unsafe words.mutableSpan
    return try body(&span)
  }

  /// Calls `body` with mutable access to every sum.
  package mutating func withMutableSums<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    try withMutableSums(of: 0..<count, body)
  }

  /// Calls `body` with mutable access to the sums of a range of weights.
  ///
  /// - Precondition: the range is within one of `changeable`.
  package mutating func withMutableSums<R>(
    of range: Range<Int>, _ body: (inout MutableSpan<Float>) throws -> R
  ) rethrows -> R {
    precondition(isChangeable(range), Self.refusal)
    let count = range.count * Cell.sumCount
    let sums = unsafe storage.sums + range.lowerBound * Cell.sumCount / 2
    return try unsafe sums.withMemoryRebound(to: Float.self, capacity: count) { words in
      var span = unsafe UnsafeMutableBufferPointer(start: words, count: count).mutableSpan
      return try body(&span)
    }
  }
}

extension WeightStorage {
  /// Runs a pass that writes the whole table.
  ///
  /// - Parameter ranges: the weights that may change; by default all
  /// - Precondition: no worker shares the storage and no other pass runs, and `body` does not replace the access by
  ///   another one; otherwise the call traps.
  package func exclusively<R>(
    changing ranges: [Range<Int>]? = nil, _ body: (inout ExclusiveWeights<Cell>) throws -> R
  ) rethrows -> R {
    try phase.exclude {
      var weights = ExclusiveWeights(self, changing: ranges ?? [0..<count])
      defer { precondition(weights.isAccess(to: self), "exclusive access escaped its pass") }
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
