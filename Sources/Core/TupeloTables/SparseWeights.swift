/// Weights for play, most of which are zero: only blocks with other weights take memory.
///
/// A map has the place of each block of indices. Blocks of zeros share one place. Other blocks with equal weights may
/// share a place, too.
///
/// Soundness of the unsafe memory: `map` and `segments` belong to `memory`, which lives as long as this object and no
/// longer changes. An index is below `count`, so its block has a word in the map, and the place in it is within a
/// segment.
@safe
public final class SparseWeights: @unchecked Sendable {
  public let count: Int
  @usableFromInline let map: UnsafePointer<UInt32>
  @usableFromInline let segments: UnsafePointer<UnsafeMutablePointer<Float>>
  private let memory: SparseMemory

  /// Index bits within a block, which is two cache lines, and place bits within a segment, which is a huge page.
  @inlinable static var blockBits: UInt32 { 5 }
  @inlinable static var segmentBits: UInt32 { 19 }

  init(_ memory: SparseMemory) {
    self.memory = memory
    count = memory.count
    unsafe map = UnsafePointer(memory.map)
    unsafe segments = UnsafePointer(memory.segments)
  }

  /// The memory that the weights take, in bytes.
  public var byteCount: Int { memory.byteCount }

  /// The weight at an index.
  public subscript(index: Int) -> Float {
    precondition(index >= 0 && index < count)
    return unsafe weight(UInt32(truncatingIfNeeded: index))
  }
}

// MARK: Access by feature indices, which are below `count`

extension SparseWeights {
  /// The place of the weight at an index.
  @unsafe @inlinable @inline(__always)
  func place(_ index: UInt32) -> UInt32 {
    let first = unsafe map[Int(truncatingIfNeeded: index &>> Self.blockBits)]
    return first | index & (1 &<< Self.blockBits &- 1)
  }

  @unsafe @inlinable @inline(__always)
  func address(_ place: UInt32) -> UnsafeMutablePointer<Float> {
    let segment = unsafe segments[Int(truncatingIfNeeded: place &>> Self.segmentBits)]
    return unsafe segment + Int(truncatingIfNeeded: place & (1 &<< Self.segmentBits &- 1))
  }

  @unsafe @inlinable @inline(__always)
  package func weight(_ index: UInt32) -> Float { unsafe address(place(index)).pointee }

  /// Prefetches the weight at an index.
  @unsafe @inlinable @inline(__always)
  package func prefetch(_ index: UInt32) { unsafe prefetchLine(address(place(index))) }

  /// Turns `count` indices into places, and prefetches the weights there.
  ///
  /// - Precondition: `indices` points to `count` indices, rounded up to whole vectors of eight, all below the storage's
  ///   count. After the call they are places, so indices must be written again before the next call.
  @unsafe @inlinable @inline(__always)
  package func prepare(_ indices: UnsafeMutablePointer<UInt32>, count: Int) {
    var feature = 0
    while feature < count {
      for lane in 0..<8 {
        let place = unsafe place(indices[feature &+ lane])
        unsafe indices[feature &+ lane] = place
        unsafe prefetchLine(address(place))
      }
      feature &+= 8
    }
  }

  /// The sum of the weights at `count` places, in score points; see `LaneSums` for the order of additions.
  @unsafe @inlinable @inline(__always)
  package func sum(_ places: UnsafePointer<UInt32>, count: Int) -> Float {
    var sums = LaneSums()
    var feature = 0
    while feature &+ 8 <= count {
      sums.add { lane in unsafe self.address(places[feature &+ lane]).pointee }
      feature &+= 8
    }
    while feature < count {
      unsafe sums.add(address(places[feature]).pointee, lane: feature & 7)
      feature &+= 1
    }
    return sums.total
  }
}

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
