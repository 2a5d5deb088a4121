internal import Threads
internal import TupeloTables

/// The merge of the replicas of several ranks, over their communicator.
///
/// Each rank first merges its own replicas, and all ranks learn who has changed which block. A block that one rank has
/// changed goes from it to all others. A block that several have changed gets an owner among the ranks: they send it
/// their changes, it merges them and sends the result to all. Both merges are `ReplicaMean`.
///
/// The threads of a rank share its part of the work; how many there are has no effect on the result.
struct RankMerge<Cell: WeightCell> {
  private let merged: WeightBlocks<Cell>
  private let replicas: [WeightBlocks<Cell>]
  private let communicator: any Communicator
  private let threads: Int
  /// The blocks that this rank has changed and not sent yet, in ascending order.
  private var touched: ArraySlice<TouchedBlock> = []
  private var totals = MergeTotals()

  /// The number of blocks that are sent at a time: a few megabytes.
  private static var slabBlocks: Int { 1 << 15 }
  /// The least number of blocks that are worth a thread.
  private static var leastBlocks: Int { 1 << 10 }

  /// - Parameter threads: how many threads share the work
  init(
    _ merged: WeightBlocks<Cell>, _ replicas: [WeightBlocks<Cell>], _ communicator: any Communicator, threads: Int
  ) {
    (self.merged, self.replicas, self.communicator, self.threads) = (merged, replicas, communicator, threads)
  }

  /// Merges everything that any rank has changed.
  @specialized(where Cell == CoherenceCell)
  @specialized(where Cell == PlainCell)
  mutating func merge() -> MergeTotals {
    let whole = 0..<merged.count
    touched = TouchedBlock.all(in: whole, of: replicas)[...]
    for replica in replicas { replica.clearTouches(whole) }
    let own = BlockMap(of: touched.lazy.map(\.number), count: merged.count)
    let maps = communicator.gather(own.words).map { BlockMap(words: $0) }
    totals.bytesSent += 8 * own.words.count * (communicator.size - 1)
    var slab: [Int] = []
    for word in own.words.indices {
      var union = maps.reduce(0) { $0 | $1.words[word] }
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
  private mutating func merge(_ slab: inout [Int], _ maps: [BlockMap]) {
    totals.blocks += slab.count
    var lone = [[Int]](repeating: [], count: communicator.size)
    var contested: [Int] = []
    for block in slab {
      if let rank = maps.onlyMap(with: block) { lone[rank].append(block) } else { contested.append(block) }
    }
    let own = popTouched(upTo: slab.last)
    let isContested = BlockMap(of: contested, count: merged.count)
    share(lone, own.filter { !isContested.contains($0.number) })
    mergeContested(contested, own.filter { isContested.contains($0.number) }, maps)
    slab.removeAll(keepingCapacity: true)
  }

  /// Takes the blocks up to a number that this rank has changed.
  private mutating func popTouched(upTo last: Int?) -> ArraySlice<TouchedBlock> {
    guard let last else { return [] }
    let own = touched.prefix { $0.number <= last }
    touched = touched.dropFirst(own.count)
    return own
  }

  /// Gives all ranks the blocks that one has changed.
  private mutating func share(_ blocks: [[Int]], _ own: [TouchedBlock]) {
    let rows = rows(of: own[...])
    totals.bytesSent += 4 * rows.count * (communicator.size - 1)
    for (rank, rows) in communicator.gather(rows).enumerated() { put(rows, blocks[rank][...]) }
  }

  /// Merges blocks that several ranks have changed.
  private mutating func mergeContested(_ blocks: [Int], _ own: [TouchedBlock], _ maps: [BlockMap]) {
    let ranks = communicator.size
    totals.contested += blocks.count
    // Rank r owns the blocks from bounds[r] to bounds[r + 1].
    let bounds = (0...ranks).map { blocks.count * $0 / ranks }
    var rest = own[...]
    let parts = (0..<ranks).map { rank in
      let end = bounds[rank + 1] < blocks.count ? blocks[bounds[rank + 1]] : Int.max
      let part = rest.prefix { $0.number < end }
      rest = rest.dropFirst(part.count)
      return rows(of: part)
    }
    totals.bytesSent += 4 * (parts.reduce(0) { $0 + $1.count } - parts[communicator.rank].count)
    let received = communicator.exchange(parts)
    let result = mergedRows(of: blocks[bounds[communicator.rank]..<bounds[communicator.rank + 1]], received, maps)
    totals.bytesSent += 4 * result.count * (ranks - 1)
    for (rank, rows) in communicator.gather(result).enumerated() {
      put(rows, blocks[bounds[rank]..<bounds[rank + 1]])
    }
  }

  /// What this rank has made of blocks.
  private func rows(of blocks: ArraySlice<TouchedBlock>) -> [UInt32] {
    let sections = sections(of: blocks)
    return Parallel.map(count: sections.count, threads: threads) { [self] number in
      var work = RowWork(merged, replicas, parts: replicas.count)
      return work.rows(of: sections[number])
    }.flatMap(\.self)
  }

  /// The merge of what all ranks have made of some blocks, which this rank owns.
  private func mergedRows(of blocks: ArraySlice<Int>, _ received: [[UInt32]], _ maps: [BlockMap]) -> [UInt32] {
    let sections = sections(of: blocks)
    let rows = received.enumerated().map { rank, words in
      sectioned(words, sections.map { section in section.reduce(0) { $0 + (maps[rank].contains($1) ? 1 : 0) } })
    }
    return Parallel.map(count: sections.count, threads: threads) { [self] number in
      var work = RowWork(merged, replicas, parts: maps.count)
      return work.mergedRows(of: sections[number], rows.map { $0[number] }, maps)
    }.flatMap(\.self)
  }

  /// Puts merged rows into the tables of this rank.
  private func put(_ rows: [UInt32], _ blocks: ArraySlice<Int>) {
    let sections = sections(of: blocks)
    let parts = sectioned(rows, sections.map(\.count))
    Parallel.forEach(count: sections.count, threads: threads) { [self] number in
      var work = RowWork(merged, replicas, parts: 1)
      work.put(parts[number], sections[number])
    }
  }

  /// Blocks in a section for each thread.
  private func sections<Block>(of blocks: ArraySlice<Block>) -> [ArraySlice<Block>] {
    blocks.chunks(of: max((blocks.count + threads - 1) / threads, Self.leastBlocks))
  }

  /// The words of rows in sections, given how many rows each has.
  private func sectioned(_ words: [UInt32], _ counts: [Int]) -> [ArraySlice<UInt32>] {
    guard counts.count > 1 else { return [words[...]] }
    var rest = words[...]
    return counts.map { MergedRow.popRows($0, from: &rest, isCoherent: Cell.sumCount > 0) }
  }
}
