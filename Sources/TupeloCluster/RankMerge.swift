internal import TupeloTables

/// The merge of the replicas of several ranks, over their communicator.
///
/// Each rank first merges its own replicas. Then every block that some rank has changed gets an owner among the ranks.
/// Ranks send the blocks that they have changed to the owners, owners merge them, and all ranks get the results. So a
/// rank sends its own change once and receives the change of all once, and both merges are `ReplicaMean`.
struct RankMerge<Cell: WeightCell> {
  private let merged: WeightBlocks<Cell>
  private let replicas: [WeightBlocks<Cell>]
  private let communicator: any Communicator
  /// Merges the replicas of this rank.
  private var own: ReplicaMean
  /// Merges the rows of all ranks.
  private var all: ReplicaMean
  private var base: CellBuffer
  private var buffer: CellBuffer
  private var row: MergedRow
  /// The blocks that this rank has changed and not sent yet, in ascending order.
  private var touched: ArraySlice<TouchedBlock> = []
  private var totals = MergeTotals()

  /// The number of blocks that are sent at a time: a few megabytes.
  private static var slabBlocks: Int { 1 << 15 }

  init(_ merged: WeightBlocks<Cell>, _ replicas: [WeightBlocks<Cell>], _ communicator: any Communicator) {
    (self.merged, self.replicas, self.communicator) = (merged, replicas, communicator)
    let capacity = ReplicaGroup<Cell>.chunkBlocks * WeightBlocks<Cell>.size
    let isCoherent = Cell.sumCount > 0
    own = ReplicaMean(replicas: replicas.count, capacity: capacity, isCoherent: isCoherent)
    all = ReplicaMean(replicas: communicator.size, capacity: capacity, isCoherent: isCoherent)
    base = CellBuffer(capacity: capacity, sumCount: Cell.sumCount)
    buffer = base
    row = MergedRow(capacity: capacity, isCoherent: isCoherent)
  }

  /// Merges everything that any rank has changed.
  @specialized(where Cell == CoherenceCell)
  @specialized(where Cell == PlainCell)
  mutating func merge() -> MergeTotals {
    let whole = 0..<merged.count
    touched = TouchedBlock.all(in: whole, of: replicas)[...]
    for replica in replicas { replica.clearTouches(whole) }
    var words = [UInt64](repeating: 0, count: (merged.count + 63) / 64)
    for block in touched { words[block.number >> 6] |= 1 << UInt64(block.number & 63) }
    let maps = communicator.gather(words)
    totals.bytesSent += 8 * words.count * (communicator.size - 1)
    var slab: [Int] = []
    for word in words.indices {
      var union = maps.reduce(0) { $0 | $1[word] }
      while union != 0 {
        slab.append(word << 6 | union.trailingZeroBitCount)
        union &= union - 1
      }
      if slab.count >= Self.slabBlocks { merge(&slab, maps) }
    }
    merge(&slab, maps)
    return totals
  }

  /// Merges some blocks, the same on every rank and in the same order.
  private mutating func merge(_ slab: inout [Int], _ maps: [[UInt64]]) {
    let ranks = communicator.size
    totals.blocks += slab.count
    // Rank r owns the blocks from bounds[r] to bounds[r + 1].
    let bounds = (0...ranks).map { slab.count * $0 / ranks }
    let parts = (0..<ranks).map { rank in ownRows(of: slab[bounds[rank]..<bounds[rank + 1]]) }
    totals.bytesSent += 4 * (parts.reduce(0) { $0 + $1.count } - parts[communicator.rank].count)
    let received = communicator.exchange(parts)
    let mine = slab[bounds[communicator.rank]..<bounds[communicator.rank + 1]]
    let result = mergedRows(of: mine, received, maps)
    totals.bytesSent += 4 * result.count * (ranks - 1)
    for (rank, rows) in communicator.gather(result).enumerated() {
      put(rows, slab[bounds[rank]..<bounds[rank + 1]])
    }
    slab.removeAll(keepingCapacity: true)
  }

  /// What this rank has made of those of some blocks that it has changed.
  private mutating func ownRows(of blocks: ArraySlice<Int>) -> [UInt32] {
    guard let last = blocks.last else { return [] }
    let sent = touched.prefix { $0.number <= last }
    touched = touched.dropFirst(sent.count)
    var words: [UInt32] = []
    for chunk in sent.chunks(of: ReplicaGroup<Cell>.chunkBlocks) {
      own.mergeBlocks(Array(chunk), merged, replicas, base: &base, own: &buffer)
      for place in 0..<chunk.count { own.result.append(place: place, to: &words) }
    }
    return words
  }

  /// The merge of what all ranks have made of some blocks, which this rank owns.
  private mutating func mergedRows(of blocks: ArraySlice<Int>, _ received: [[UInt32]], _ maps: [[UInt64]]) -> [UInt32] {
    var rest = received.map { $0[...] }
    var words: [UInt32] = []
    for chunk in blocks.chunks(of: ReplicaGroup<Cell>.chunkBlocks) {
      for rank in maps.indices {
        for (place, block) in chunk.enumerated() {
          if maps[rank][block >> 6] >> UInt64(block & 63) & 1 == 1 {
            row.take(place: place, from: &rest[rank])
            all.take(replica: rank, row, place: place)
          } else {
            all.takeNothing(replica: rank, place: place)
          }
        }
      }
      all.merge(count: chunk.count * WeightBlocks<Cell>.size)
      for place in 0..<chunk.count { all.result.append(place: place, to: &words) }
    }
    return words
  }

  /// Puts merged rows into the tables of this rank.
  private mutating func put(_ rows: [UInt32], _ blocks: ArraySlice<Int>) {
    var rest = rows[...]
    for chunk in blocks.chunks(of: ReplicaGroup<Cell>.chunkBlocks) {
      let touched = chunk.map { TouchedBlock(number: $0, replicas: 0) }
      for place in touched.indices { row.take(place: place, from: &rest) }
      base.read(touched, of: merged)
      row.apply(to: &base, count: touched.count * WeightBlocks<Cell>.size)
      base.write(touched, to: [merged] + replicas)
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The elements in pieces of a length, the last one perhaps shorter.
  fileprivate func chunks(of length: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: length).map { self[$0..<Swift.min($0 + length, endIndex)] }
  }
}
