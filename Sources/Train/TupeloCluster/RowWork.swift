internal import TupeloTables

/// The work of one thread of a rank on one section of blocks, in a merge over ranks. It makes rows of changed blocks,
/// merges the rows of all ranks, and puts merged rows into the tables. See `RankMerge`.
struct RowWork<Cell: WeightCell> {
  private let merged: WeightBlocks<Cell>
  private let replicas: [WeightBlocks<Cell>]
  private var mean: ReplicaMean
  private var base: CellBuffer
  private var own: CellBuffer
  private var row: MergedRow

  /// - Parameters:
  ///   - merged: the table of the last merge
  ///   - replicas: the replicas of this rank
  ///   - parts: the number of parts in each mean: the replicas of this rank, or all ranks
  init(_ merged: WeightBlocks<Cell>, _ replicas: [WeightBlocks<Cell>], parts: Int) {
    (self.merged, self.replicas) = (merged, replicas)
    let capacity = ReplicaGroup<Cell>.chunkBlocks * WeightBlocks<Cell>.size
    let isCoherent = Cell.sumCount > 0
    mean = ReplicaMean(replicas: parts, capacity: capacity, isCoherent: isCoherent)
    base = CellBuffer(capacity: capacity, sumCount: Cell.sumCount)
    own = base
    row = MergedRow(capacity: capacity, isCoherent: isCoherent)
  }

  /// The rows of blocks that this rank has changed.
  @specialized(where Cell == CoherenceCell)
  @specialized(where Cell == PlainCell)
  mutating func rows(of touched: ArraySlice<TouchedBlock>) -> [UInt32] {
    var words: [UInt32] = []
    for chunk in touched.chunks(of: ReplicaGroup<Cell>.chunkBlocks) {
      prefetch(touched[chunk.endIndex...].lazy.map(\.number))
      mean.mergeBlocks(Array(chunk), merged, replicas, base: &base, own: &own)
      for place in 0..<chunk.count { mean.result.append(place: place, to: &words) }
    }
    return words
  }

  /// The merge of the rows of all ranks.
  ///
  /// - Parameters:
  ///   - blocks: blocks that some rank has changed
  ///   - received: the rows of each rank, for the blocks that this rank has changed
  ///   - maps: a bit for each block that a rank has changed, by rank
  mutating func mergedRows(
    of blocks: ArraySlice<Int>, _ received: [ArraySlice<UInt32>], _ maps: [BlockMap]
  ) -> [UInt32] {
    var rest = received
    var words: [UInt32] = []
    for chunk in blocks.chunks(of: ReplicaGroup<Cell>.chunkBlocks) {
      for rank in maps.indices {
        for (place, block) in chunk.enumerated() {
          if maps[rank].contains(block) {
            row.take(place: place, from: &rest[rank])
            mean.take(replica: rank, row, place: place)
          } else {
            mean.takeNothing(replica: rank, place: place)
          }
        }
      }
      mean.merge(count: chunk.count * WeightBlocks<Cell>.size)
      for place in 0..<chunk.count { mean.result.append(place: place, to: &words) }
    }
    precondition(rest.allSatisfy(\.isEmpty), "a rank sent more blocks than it announced")
    return words
  }

  /// Puts merged rows into the tables of this rank.
  @specialized(where Cell == CoherenceCell)
  @specialized(where Cell == PlainCell)
  mutating func put(_ rows: ArraySlice<UInt32>, _ blocks: ArraySlice<Int>) {
    var rest = rows
    for chunk in blocks.chunks(of: ReplicaGroup<Cell>.chunkBlocks) {
      prefetch(blocks[chunk.endIndex...])
      let touched = chunk.map { TouchedBlock(number: $0, replicas: 0) }
      for place in touched.indices { row.take(place: place, from: &rest) }
      base.read(touched, of: merged)
      row.apply(to: &base, count: touched.count * WeightBlocks<Cell>.size)
      base.write(touched, to: [merged] + replicas)
    }
    precondition(rest.isEmpty, "a rank sent more blocks than it announced")
  }

  /// Prefetches the memory of the next blocks.
  private func prefetch(_ blocks: some Sequence<Int>) {
    for block in blocks.prefix(ReplicaGroup<Cell>.chunkBlocks) {
      merged.prefetch(block)
      for replica in replicas { replica.prefetch(block) }
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The elements in pieces of a length. The last piece may be shorter.
  func chunks(of length: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: length).map { self[$0..<Swift.min($0 + length, endIndex)] }
  }
}
