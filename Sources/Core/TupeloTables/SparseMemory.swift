/// The memory of sparse weights: a map of blocks, and segments with the blocks that have been placed.
///
/// Segments are small, so that memory grows with the number of placed blocks. A segment never moves.
///
/// Soundness of the unsafe memory: `map` has a word per block of `count` weights. Each word is the place of a whole
/// block, made by `newPlace`; place 0 is the first. `segments` has space for the segments of all blocks, and the
/// segment of every place exists. All of it is freed with this object. Only one builder changes it, and nothing changes
/// it after that.
@safe
final class SparseMemory: @unchecked Sendable {
  /// The number of weights.
  let count: Int
  /// For each block of indices, the place of its first weight.
  let map: UnsafeMutablePointer<UInt32>
  let segments: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let mapMemory: LargeMemory
  private var segmentMemory: [LargeMemory] = []
  private let blocks: Int
  private var placed = 0

  static var blockSize: Int { 1 << Int(SparseWeights.blockBits) }
  static var segmentSize: Int { 1 << Int(SparseWeights.segmentBits) }

  static func blockCount(of count: Int) -> Int { (count - 1) / blockSize + 1 }

  /// The memory of a map of `blocks` blocks, of which `placed` have separate places.
  static func byteCount(blocks: Int, placed: Int) -> Int {
    blocks * 4 + ((placed - 1) / (segmentSize / blockSize) + 1) * segmentSize * 4
  }

  /// Makes a map in which all blocks have place 0, and a block of zeros at this place.
  init(count: Int) throws(WeightStorageError) {
    precondition(count > 0 && UInt64(count) <= 1 << 32, "indices have 32 bits")
    self.count = count
    blocks = Self.blockCount(of: count)
    mapMemory = try LargeMemory(byteCount: blocks * 4)
    unsafe map = mapMemory.base.bindMemory(to: UInt32.self, capacity: blocks)
    unsafe segments = .allocate(capacity: blocks / (Self.segmentSize / Self.blockSize) + 1)
    _ = try newPlace()
  }

  deinit {
    unsafe segments.deallocate()
  }

  var byteCount: Int { mapMemory.byteCount + segmentMemory.count * Self.segmentSize * 4 }

  /// Whether all blocks have separate places. Then a block at place 0 does not share this place.
  var isFull: Bool { placed == blocks }

  /// Adds a block of zero weights, and returns its place.
  ///
  /// - Throws: `WeightStorageError` if the block does not fit into memory.
  func newPlace() throws(WeightStorageError) -> UInt32 {
    guard !isFull else { return 0 }
    let place = UInt32(truncatingIfNeeded: placed) << SparseWeights.blockBits
    if placed == segmentMemory.count * (Self.segmentSize / Self.blockSize) { try addSegment() }
    placed += 1
    return place
  }

  private func addSegment() throws(WeightStorageError) {
    let bytes = byteCount + Self.segmentSize * 4
    guard bytes <= MemoryLimit.bytes else { throw .outOfMemory(bytes: bytes, available: MemoryLimit.bytes) }
    let segment: LargeMemory
    do throws(WeightStorageError) {
      segment = try LargeMemory(byteCount: Self.segmentSize * 4)
    } catch {
      throw .refused(bytes: bytes)
    }
    unsafe (segments + segmentMemory.count).initialize(
      to: segment.base.bindMemory(to: Float.self, capacity: Self.segmentSize))
    segmentMemory.append(segment)
  }
}
