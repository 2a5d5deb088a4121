internal import TupeloBase
internal import TupeloTables

/// The merge of the replicas of several ranks, over their communicator.
///
/// Each rank first merges its own replicas, and all ranks exchange which blocks they have changed. A block that only
/// one rank has changed goes from this rank to all other ranks. A block that several ranks have changed has an owner
/// among the ranks. The ranks send their changes to the owner, which merges them and sends the result to all. Both
/// merges use `ReplicaMean`.
///
/// The threads of a rank divide its part of the work. Their number does not affect the result.
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
  /// The smallest number of blocks for which a thread is worth its cost.
  private static var leastBlocks: Int { 1 << 9 }

  /// - Parameter threads: the number of threads for the work
  init(
    _ merged: WeightBlocks<Cell>, _ replicas: [WeightBlocks<Cell>], _ communicator: any Communicator, threads: Int
  ) {
    (self.merged, self.replicas, self.communicator, self.threads) = (merged, replicas, communicator, threads)
  }

  /// Merges all changes of all ranks.
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
    if !slab.isEmpty { merge(&slab, maps) }
    return totals
  }

  /// Merges some blocks. Every rank merges these blocks, in this order.
  private mutating func merge(_ slab: inout [Int], _ maps: [BlockMap]) {
    var lone = [[Int]](repeating: [], count: communicator.size)
    var contested: [Int] = []
    for block in slab {
      if let rank = maps.onlyMap(with: block) { lone[rank].append(block) } else { contested.append(block) }
    }
    let own = popTouched(upTo: slab.last)
    shareLone(lone, own.filter { maps.onlyMap(with: $0.number) != nil })
    if !contested.isEmpty { mergeContested(contested, own.filter { maps.onlyMap(with: $0.number) == nil }, maps) }
    totals.blocks += slab.count
    totals.contested += contested.count
    slab.removeAll(keepingCapacity: true)
  }

  /// Removes and returns the blocks up to a number that this rank has changed.
  private mutating func popTouched(upTo last: Int?) -> ArraySlice<TouchedBlock> {
    guard let last else { return [] }
    let own = touched.prefix { $0.number <= last }
    touched = touched.dropFirst(own.count)
    return own
  }

  /// Gives all ranks the blocks that only one rank has changed.
  ///
  /// - Parameters:
  ///   - blocks: the blocks of each rank
  ///   - own: the blocks of this rank
  private mutating func shareLone(_ blocks: [[Int]], _ own: [TouchedBlock]) {
    let words = rows(of: [own[...]])[0]
    totals.bytesSent += 4 * words.count * (communicator.size - 1)
    put(communicator.gather(words), blocks.map { $0[...] })
  }

  /// Merges blocks that several ranks have changed.
  private mutating func mergeContested(_ blocks: [Int], _ own: [TouchedBlock], _ maps: [BlockMap]) {
    let ranks = communicator.size
    // Rank r owns part r.
    let parts = (0..<ranks).map { blocks[blocks.count * $0 / ranks..<blocks.count * ($0 + 1) / ranks] }
    var rest = own[...]
    let changed = parts.map { part in
      let changed = rest.prefix { $0.number <= part.last ?? -1 }
      rest = rest.dropFirst(changed.count)
      return changed
    }
    let sent = rows(of: changed)
    totals.bytesSent += 4 * (sent.reduce(0) { $0 + $1.count } - sent[communicator.rank].count)
    let received = communicator.exchange(sent)
    let result = mergedRows(of: parts[communicator.rank], received, maps)
    totals.bytesSent += 4 * result.count * (ranks - 1)
    put(communicator.gather(result), parts)
  }

  /// This rank's rows for each of several lists of blocks.
  private func rows(of lists: [ArraySlice<TouchedBlock>]) -> [[UInt32]] {
    let sections = lists.enumerated().flatMap { number, list in self.sections(of: list).map { (number, $0) } }
    let words = Parallel.map(count: sections.count, threads: threads) { [self] number in
      var work = RowWork(merged, replicas, parts: replicas.count)
      return work.rows(of: sections[number].1)
    }
    var rows = [[UInt32]](repeating: [], count: lists.count)
    for ((list, _), words) in zip(sections, words) { rows[list] += words }
    return rows
  }

  /// The merge of all ranks' rows for some blocks, which this rank owns.
  private func mergedRows(of blocks: ArraySlice<Int>, _ received: [[UInt32]], _ maps: [BlockMap]) -> [UInt32] {
    let sections = sections(of: blocks)
    let words = received.enumerated().map { rank, words in
      cut(words, sections.map { section in section.reduce(0) { $0 + (maps[rank].contains($1) ? 1 : 0) } })
    }
    return Parallel.map(count: sections.count, threads: threads) { [self] number in
      var work = RowWork(merged, replicas, parts: maps.count)
      return work.mergedRows(of: sections[number], words.map { $0[number] }, maps)
    }.flatMap(\.self)
  }

  /// Puts rows of several lists of blocks into the tables of this rank. No block is in two lists.
  private func put(_ words: [[UInt32]], _ lists: [ArraySlice<Int>]) {
    let sections = zip(words, lists).flatMap { words, list in
      let sections = self.sections(of: list)
      return Array(zip(cut(words, sections.map(\.count)), sections))
    }
    Parallel.forEach(count: sections.count, threads: threads) { [self] number in
      var work = RowWork(merged, replicas, parts: 1)
      work.put(sections[number].0, sections[number].1)
    }
  }

  /// Blocks in sections of about equal length, one for each thread at most.
  private func sections<Block>(of blocks: ArraySlice<Block>) -> [ArraySlice<Block>] {
    let count = max(1, min(threads, blocks.count / Self.leastBlocks))
    return blocks.chunks(of: max(1, (blocks.count + count - 1) / count))
  }

  /// The words of rows, cut into sections by the number of rows in each section.
  private func cut(_ words: [UInt32], _ counts: [Int]) -> [ArraySlice<UInt32>] {
    var rest = words[...]
    return counts.map { MergedRow.popRows($0, from: &rest, isCoherent: Cell.sumCount > 0) }
  }
}

/// A bit for each block of a table.
struct BlockMap: Sendable {
  let words: [UInt64]

  init(words: [UInt64]) { self.words = words }

  init(of blocks: some Sequence<Int>, count: Int) {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for block in blocks { words[block >> 6] |= 1 << UInt64(block & 63) }
    self.words = words
  }

  @inline(__always)
  func contains(_ block: Int) -> Bool { words[block >> 6] >> UInt64(block & 63) & 1 == 1 }
}

extension [BlockMap] {
  /// The number of the only map that has a block; `nil` if several maps have it.
  func onlyMap(with block: Int) -> Int? {
    var only: Int?
    for (number, map) in enumerated() where map.contains(block) {
      guard only == nil else { return nil }
      only = number
    }
    return only
  }
}
