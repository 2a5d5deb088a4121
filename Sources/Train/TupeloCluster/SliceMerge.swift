internal import TupeloTables

/// The merge of one slice of blocks, by one thread, for replicas in one process.
struct SliceMerge<Cell: WeightCell> {
  private let merged: WeightBlocks<Cell>
  private let replicas: [WeightBlocks<Cell>]
  private var mean: ReplicaMean
  private var base: CellBuffer
  private var own: CellBuffer
  private var touched: [TouchedBlock] = []

  init(_ merged: WeightBlocks<Cell>, _ replicas: [WeightBlocks<Cell>]) {
    (self.merged, self.replicas) = (merged, replicas)
    let capacity = ReplicaGroup<Cell>.chunkBlocks * WeightBlocks<Cell>.size
    mean = ReplicaMean(replicas: replicas.count, capacity: capacity, isCoherent: Cell.sumCount > 0)
    base = CellBuffer(capacity: capacity, sumCount: Cell.sumCount)
    own = base
  }

  /// Merges the blocks of a slice that have changed.
  @specialized(where Cell == CoherenceCell)
  @specialized(where Cell == PlainCell)
  mutating func merge(_ slice: Range<Int>) -> MergeTotals {
    touched = TouchedBlock.all(in: slice, of: replicas)
    var totals = MergeTotals()
    totals.blocks = touched.count
    var contested: [TouchedBlock] = []
    for (number, block) in touched.enumerated() {
      prefetch(number + Self.ahead)
      guard let only = block.onlyReplica else {
        contested.append(block)
        if contested.count == ReplicaGroup<Cell>.chunkBlocks { mergeContested(&contested, &totals) }
        continue
      }
      // If only one replica has changed the block, the merge is a copy.
      merged.copy(block.number, of: replicas[only])
      for other in replicas.indices where other != only { replicas[other].copy(block.number, of: replicas[only]) }
    }
    mergeContested(&contested, &totals)
    for replica in replicas { replica.clearTouches(slice) }
    return totals
  }

  /// The number of blocks by which prefetches run ahead.
  private static var ahead: Int { 6 }

  private func prefetch(_ number: Int) {
    guard number < touched.count else { return }
    merged.prefetch(touched[number].number)
    for replica in replicas { replica.prefetch(touched[number].number) }
  }

  private mutating func mergeContested(_ blocks: inout [TouchedBlock], _ totals: inout MergeTotals) {
    defer { blocks.removeAll(keepingCapacity: true) }
    totals.contested += blocks.count
    mean.mergeBlocks(blocks, merged, replicas, base: &base, own: &own)
    let count = blocks.count * WeightBlocks<Cell>.size
    mean.result.apply(to: &base, count: count)
    base.write(blocks, to: [merged] + replicas)
  }
}

/// A block that some replicas have changed since the last merge.
struct TouchedBlock: Hashable, Sendable {
  let number: Int
  /// A bit for each replica that has changed the block.
  var replicas: UInt64

  /// The number of the only replica that has changed the block; `nil` if several replicas have.
  var onlyReplica: Int? { replicas.nonzeroBitCount == 1 ? replicas.trailingZeroBitCount : nil }

  func isTouched(by replica: Int) -> Bool { replicas >> UInt64(replica) & 1 == 1 }

  /// The blocks of a range that some replica has changed, in ascending order.
  static func all<Cell: WeightCell>(in range: Range<Int>, of replicas: [WeightBlocks<Cell>]) -> [TouchedBlock] {
    var all: [TouchedBlock] = []
    for (number, replica) in replicas.enumerated() {
      var own: [TouchedBlock] = []
      replica.forEachTouched(in: range) { own.append(TouchedBlock(number: $0, replicas: 1 << UInt64(number))) }
      all = all.isEmpty ? own : own.isEmpty ? all : union(all, own)
    }
    return all
  }

  /// The blocks of two ascending lists.
  private static func union(_ left: [TouchedBlock], _ right: [TouchedBlock]) -> [TouchedBlock] {
    var (union, i, j) = ([TouchedBlock](), 0, 0)
    union.reserveCapacity(left.count + right.count)
    while i < left.count, j < right.count {
      var block = left[i].number <= right[j].number ? left[i] : right[j]
      if left[i].number == right[j].number { block.replicas |= right[j].replicas }
      i += left[i].number == block.number ? 1 : 0
      j += right[j].number == block.number ? 1 : 0
      union.append(block)
    }
    return union + left[i...] + right[j...]
  }
}

extension ReplicaMean {
  /// Merges some blocks into the row of results, and leaves the last merge's numbers in `base`.
  mutating func mergeBlocks<Cell: WeightCell>(
    _ blocks: [TouchedBlock], _ merged: WeightBlocks<Cell>, _ replicas: [WeightBlocks<Cell>],
    base: inout CellBuffer, own: inout CellBuffer
  ) {
    let count = blocks.count * WeightBlocks<Cell>.size
    base.read(blocks, of: merged)
    for (number, replica) in replicas.enumerated() {
      own.read(blocks, of: replica) { $0.isTouched(by: number) }
      take(replica: number, own, base: base, count: count)
      for (place, block) in blocks.enumerated() where !block.isTouched(by: number) {
        takeNothing(replica: number, place: place)
      }
    }
    merge(count: count)
  }
}
