internal import CTupeloShims

/// One byte per block of 16 weights, which is one cache line of weights: 0 until a weight of the block changes.
///
/// Replicas of a table are merged block by block, and a merge visits only blocks that a replica has changed. The marks
/// are bytes, not bits: a worker stores a whole byte, so two workers of one storage cannot undo each other's marks.
///
/// Soundness of the unsafe memory: `base` has a byte for each of `blockCount` blocks, rounded up to whole words of
/// eight bytes, and lives as long as this object. Workers store bytes by relaxed atomics. They are read and cleared
/// only between rounds, when no worker runs.
@safe
package final class TouchMap: @unchecked Sendable {
  /// The number of weights in a block, as a power of two.
  @inlinable package static var blockBits: Int { 4 }
  /// The number of weights in a block.
  @inlinable package static var blockSize: Int { 1 << blockBits }

  package let blockCount: Int
  let base: UnsafeMutablePointer<UInt8>
  private let memory: LargeMemory

  /// - Parameter count: the number of weights
  package init(count: Int) throws(WeightStorageError) {
    blockCount = (count + Self.blockSize - 1) / Self.blockSize
    memory = try LargeMemory(byteCount: Self.byteCount(forWeights: count))
    unsafe base = memory.base.bindMemory(to: UInt8.self, capacity: memory.byteCount)
  }

  /// The bytes of a map.
  package static func byteCount(forWeights count: Int) -> Int {
    max((count + blockSize - 1) / blockSize + 7, 8) & ~7
  }

  /// Whether a block is marked.
  func isTouched(_ block: Int) -> Bool {
    precondition(block >= 0 && block < blockCount)
    return unsafe base[block] != 0
  }

  /// Calls `body` with every marked block of a range, in ascending order.
  ///
  /// - Parameter blocks: begins at a multiple of eight
  func forEachTouched(in blocks: Range<Int>, _ body: (Int) -> Void) {
    precondition(blocks.lowerBound >= 0 && blocks.upperBound <= blockCount && blocks.lowerBound & 7 == 0)
    for start in stride(from: blocks.lowerBound, to: blocks.upperBound, by: 8) {
      var word = unsafe UnsafeRawPointer(base + start).load(as: UInt64.self).littleEndian
      while word != 0 {
        let byte = word.trailingZeroBitCount >> 3
        if start + byte < blocks.upperBound { body(start + byte) }
        word &= ~(0xff << UInt64(byte << 3))
      }
    }
  }

  /// Clears the marks of a range of blocks.
  func clear(_ blocks: Range<Int>) {
    precondition(blocks.lowerBound >= 0 && blocks.upperBound <= blockCount)
    unsafe (base + blocks.lowerBound).update(repeating: 0, count: blocks.count)
  }
}

// Marks, set by workers.
extension WeightStorage {
  /// Marks the block of a weight as changed, if the storage keeps such marks.
  @unsafe @inlinable @inline(__always)
  func touch(_ index: UInt32) {
    if let touches = unsafe touches { unsafe touches.mark(index) }
  }

  /// Marks the blocks of the weights at `count` indices as changed, if the storage keeps such marks.
  @unsafe @inlinable @inline(__always)
  func touch(_ indices: UnsafePointer<UInt32>, count: Int) {
    guard let touches = unsafe touches else { return }
    for feature in 0..<count { unsafe touches.mark(indices[feature]) }
  }
}

extension UnsafeMutablePointer<UInt8> {
  /// Sets the byte of a weight's block.
  @unsafe @inlinable @inline(__always)
  func mark(_ index: UInt32) {
    unsafe (self + Int(truncatingIfNeeded: index >> 4)).storeRelaxed(1)
  }
}
