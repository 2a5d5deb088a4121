internal import Foundation
internal import TupeloBLAS
internal import TupeloBase
package import TupeloTables

/// The replicas of a table in one process, each with private weights and sums, and the table that they are merged into.
/// With a communicator, the replicas of all ranks are merged.
///
/// Between two merges each replica learns separately, in memory that no other core writes. A merge visits the blocks
/// that some replica has changed; see `TouchMap`. After a merge all replicas of all ranks equal the merged table, bit
/// for bit. The number of threads and the order of ranks do not affect the result.
package final class ReplicaGroup<Cell: WeightCell>: Sendable {
  /// The weights of the last merge, which are saved, averaged and evaluated.
  package let merged: WeightStorage<Cell>
  package let replicas: [WeightStorage<Cell>]
  package let communicator: any Communicator
  private let totals = Locked(MergeTotals())
  /// The threads that merge.
  private let threads: Int

  /// The number of blocks that a thread merges at a time.
  private static var sliceBlocks: Int { 1 << 14 }
  /// The number of blocks whose numbers lie side by side in dense rows: few enough for the first-level cache.
  static var chunkBlocks: Int { 32 }

  /// - Parameters:
  ///   - merged: the table that is merged into
  ///   - count: the number of replicas in this process, at most 64
  ///   - threads: the number of threads that merge; `nil` for a thread for each replica, at most one for each core
  /// - Throws: `WeightStorageError.outOfMemory`.
  package init(
    merged: WeightStorage<Cell>, count: Int, communicator: any Communicator = SoloCommunicator(),
    threads: Int? = nil
  ) throws(WeightStorageError) {
    precondition((1...64).contains(count) && threads ?? 1 >= 1)
    self.merged = merged
    self.threads = min(threads ?? count, Processors.count)
    self.communicator = communicator
    var replicas: [WeightStorage<Cell>] = []
    for _ in 0..<count { replicas.append(try WeightStorage(count: merged.count, tracksTouches: true)) }
    self.replicas = replicas
  }

  /// Bytes for the replicas of one process, in addition to the merged table.
  package static func byteCount(weights: Int, replicas: Int) -> Int {
    replicas * (weights * Cell.byteCount + TouchMap.byteCount(forWeights: weights))
  }

  /// The cost of all merges so far.
  package var mergeTotals: MergeTotals { totals.withLock { $0 } }

  /// Copies the merged table to every replica, so that changes of whole tables, such as decay, reach all replicas.
  ///
  /// - Complexity: O(weights * replicas), bound by memory.
  package func spread() {
    merged.reading { merged in
      for replica in replicas {
        replica.exclusively { replica in
          merged.withWeights { weights in replica.withMutableWeights { PlainLoops.copy(weights, &$0) } }
          guard Cell.sumCount > 0 else { return }
          merged.withSums { sums in replica.withMutableSums { PlainLoops.copy(sums, &$0) } }
        }
      }
    }
  }

  /// Merges the changes of all replicas since the last merge.
  ///
  /// - Complexity: O(blocks that changed), and a byte for each block is read.
  package func merge() {
    let clock = ContinuousClock()
    let start = clock.now
    var change = withBlocks { merged, replicas in
      guard communicator.size > 1 else { return mergeAlone(merged, replicas) }
      var ranks = RankMerge(merged, replicas, communicator, threads: threads)
      return ranks.merge()
    }
    change.merges = 1
    change.seconds = (clock.now - start) / .seconds(1)
    totals.withLock { [change] in $0.add(change) }
  }

  /// Runs a pass over the blocks of all tables.
  private func withBlocks<R>(_ body: (WeightBlocks<Cell>, [WeightBlocks<Cell>]) -> R) -> R {
    func lock(_ rest: ArraySlice<WeightStorage<Cell>>, _ locked: [WeightBlocks<Cell>]) -> R {
      guard let first = rest.first else { return body(locked[0], Array(locked.dropFirst())) }
      return first.exclusively { lock(rest.dropFirst(), locked + [$0.blocks]) }
    }
    return lock([merged] + replicas, [])
  }

  /// The slices of blocks that threads take.
  private func slices(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: Self.sliceBlocks).map { $0..<min($0 + Self.sliceBlocks, count) }
  }

  private func mergeAlone(_ merged: WeightBlocks<Cell>, _ replicas: [WeightBlocks<Cell>]) -> MergeTotals {
    let slices = slices(of: merged.count)
    let totals = Locked(MergeTotals())
    Parallel.forEach(count: slices.count, threads: threads) { number in
      var slice = SliceMerge(merged, replicas)
      let change = slice.merge(slices[number])
      totals.withLock { $0.add(change) }
    }
    return totals.withLock { $0 }
  }
}

/// The cost of merges.
package struct MergeTotals: Sendable, Hashable {
  package var merges = 0
  /// Blocks that some replica had changed.
  package var blocks = 0
  /// Blocks that more than one replica had changed; over ranks, that more than one rank had.
  package var contested = 0
  /// Bytes that this rank sent to other ranks.
  package var bytesSent = 0
  package var seconds = 0.0

  package init() {}

  mutating func add(_ other: MergeTotals) {
    merges += other.merges
    blocks += other.blocks
    contested += other.contested
    bytesSent += other.bytesSent
    seconds += other.seconds
  }
}
