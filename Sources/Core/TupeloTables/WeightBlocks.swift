/// The blocks of a storage as plain memory, for passes that visit only changed blocks. A block is 16 weights, one cache
/// line, with their sums; the last block may have fewer.
///
/// Soundness of the unsafe memory: blocks are checked against the storage's size, and the storage is kept alive. Every
/// access traps unless a pass that writes the storage runs, so no worker runs at the same time. Several threads may use
/// the blocks at a time if no two of them use the same block.
@safe
package struct WeightBlocks<Cell: WeightCell>: @unchecked Sendable {
  @usableFromInline let storage: WeightStorage<Cell>
  private let touches: TouchMap?

  fileprivate init(_ storage: WeightStorage<Cell>, _ touches: TouchMap?) {
    (self.storage, self.touches) = (storage, touches)
  }

  @inlinable package static var size: Int { TouchMap.blockSize }

  @inlinable package var count: Int { (storage.count + Self.size - 1) / Self.size }

  /// The weights of a block.
  @inlinable @inline(__always)
  func weights(of block: Int) -> Range<Int> {
    precondition(block >= 0 && block < count)
    precondition(storage.phase.isWriting, "the blocks of a pass that is over")
    return block * Self.size..<min((block + 1) * Self.size, storage.count)
  }

  /// The address of the sums of a weight.
  @unsafe @inlinable @inline(__always)
  func sums(from weight: Int) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(storage.sums) + Self.sumBytes(weight)
  }

  @inlinable @inline(__always)
  static func sumBytes(_ count: Int) -> Int { count * Cell.sumCount * 4 }

  /// Prefetches the memory of a block.
  @inlinable @inline(__always)
  package func prefetch(_ block: Int) {
    let first = weights(of: block).lowerBound
    unsafe prefetchLine(storage.base + first)
    guard Cell.sumCount > 0 else { return }
    unsafe prefetchLine(UnsafeRawPointer(sums(from: first)))
    unsafe prefetchLine(UnsafeRawPointer(sums(from: first) + Self.sumBytes(Self.size / 2)))
  }

  /// Copies a block out of the storage.
  ///
  /// - Parameters:
  ///   - weights: receives the weights, from `place` times the size of a block on
  ///   - sums: receives the sums in the order of memory, from `place` times the sums of a block on
  @inlinable @inline(__always)
  package func read(
    _ block: Int, into weights: inout [Float], _ sums: inout [Float], place: Int
  ) {
    let range = self.weights(of: block)
    let start = place * Self.size
    precondition(start >= 0 && start + Self.size <= weights.count)
    precondition((start + Self.size) * Cell.sumCount <= sums.count)
    unsafe weights.withUnsafeMutableBufferPointer { target in
      guard let target = target.baseAddress else { return }
      unsafe (target + start).update(from: storage.base + range.lowerBound, count: range.count)
    }
    guard Cell.sumCount > 0 else { return }
    unsafe sums.withUnsafeMutableBufferPointer { target in
      guard let target = target.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(target + start * Cell.sumCount).copyMemory(
        from: self.sums(from: range.lowerBound), byteCount: Self.sumBytes(range.count))
    }
  }

  /// Copies a block into the storage; see `read`.
  @inlinable @inline(__always)
  package func write(_ block: Int, from weights: [Float], _ sums: [Float], place: Int) {
    let range = self.weights(of: block)
    let start = place * Self.size
    precondition(start >= 0 && start + Self.size <= weights.count)
    precondition((start + Self.size) * Cell.sumCount <= sums.count)
    unsafe weights.withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      unsafe (storage.base + range.lowerBound).update(from: source + start, count: range.count)
    }
    guard Cell.sumCount > 0 else { return }
    unsafe sums.withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      unsafe self.sums(from: range.lowerBound).copyMemory(
        from: source + start * Cell.sumCount, byteCount: Self.sumBytes(range.count))
    }
  }

  /// Copies a block of another storage of the same size.
  @inlinable @inline(__always)
  package func copy(_ block: Int, of other: WeightBlocks) {
    precondition(other.storage.count == storage.count)
    let range = weights(of: block)
    unsafe (storage.base + range.lowerBound).update(from: other.storage.base + range.lowerBound, count: range.count)
    guard Cell.sumCount > 0 else { return }
    unsafe sums(from: range.lowerBound).copyMemory(
      from: other.sums(from: range.lowerBound), byteCount: Self.sumBytes(range.count))
  }
}

// Marks, read between rounds.
extension WeightBlocks {
  /// Whether a block has changed since its mark was last cleared.
  ///
  /// - Precondition: the storage tracks touches.
  package func isTouched(_ block: Int) -> Bool { marks.isTouched(block) }

  /// Calls `body` with every block of a range that has changed, in ascending order.
  ///
  /// - Parameter blocks: begins at a multiple of eight
  /// - Precondition: the storage tracks touches.
  package func forEachTouched(in blocks: Range<Int>, _ body: (Int) -> Void) {
    marks.forEachTouched(in: blocks, body)
  }

  /// Clears the marks of a range of blocks.
  ///
  /// - Precondition: the storage tracks touches.
  package func clearTouches(_ blocks: Range<Int>) { marks.clear(blocks) }

  private var marks: TouchMap {
    precondition(storage.phase.isWriting, "the blocks of a pass that is over")
    guard let touches else { preconditionFailure("the storage does not track touches") }
    return touches
  }
}

extension ExclusiveWeights {
  /// The blocks of the storage, to be used within this pass.
  package var blocks: WeightBlocks<Cell> { withStorage { WeightBlocks($0, $0.touchMap) } }
}
