/// Computes the memory that sparse weights would take, with one byte for each block of 32 weights.
package struct SparseSize {
  /// Which blocks have a weight that is not zero.
  private var blocks: [Bool]

  /// - Parameter count: the number of weights
  package init(count: Int) { blocks = Array(repeating: false, count: SparseMemory.blockCount(of: count)) }

  /// Notes that the weight at an index is not zero.
  package mutating func note(_ index: Int) { blocks[index / SparseMemory.blockSize] = true }

  /// Whether weights at this distance have the same place in their blocks.
  package static func sharesBlocks(distance: Int) -> Bool { distance.isMultiple(of: SparseMemory.blockSize) }

  /// Notes all weights from an index on.
  package mutating func noteAll(from start: Int) {
    for block in start / SparseMemory.blockSize..<blocks.count { blocks[block] = true }
  }

  /// The bytes that the weights would take.
  package var byteCount: Int {
    SparseMemory.byteCount(blocks: blocks.count, placed: min(1 + blocks.count { $0 }, blocks.count))
  }
}
