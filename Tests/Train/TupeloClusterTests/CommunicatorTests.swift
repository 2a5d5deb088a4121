import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloCluster
import TupeloTables

/// Runs a function on a thread for each rank, and returns the results in the order of the ranks.
func onRanks<T: Sendable>(
  _ size: Int, _ body: @Sendable @escaping (ThreadCommunicator) throws -> T
) async throws -> [T] {
  try await withThrowingTaskGroup(of: (Int, T).self) { group in
    for communicator in ThreadCommunicator.ranks(size) {
      group.addTask { try await OwnThread.run { (communicator.rank, try body(communicator)) } }
    }
    var results: [Int: T] = [:]
    for try await (rank, result) in group { results[rank] = result }
    return (0..<size).compactMap { results[$0] }
  }
}

@Suite struct CommunicatorTests {
  /// Whether a rank receives from all ranks the values that it should receive.
  @Sendable private static func check(_ communicator: some Communicator) -> Bool {
    let (rank, size) = (communicator.rank, communicator.size)
    return (0..<50).allSatisfy { round in
      let gathered = communicator.gather([Int](repeating: rank, count: (rank + round) % 3))
      let parts = (0..<size).map { [UInt64(rank), UInt64($0), UInt64(round)] }
      let exchanged = communicator.exchange(parts)
      let sum = communicator.sum([Double(rank), 1])
      let word = communicator.broadcast([UInt8(rank + 1), UInt8(round)])
      communicator.barrier()
      return gathered == (0..<size).map { [Int](repeating: $0, count: ($0 + round) % 3) }
        && exchanged == (0..<size).map { [UInt64($0), UInt64(rank), UInt64(round)] }
        && sum == [Double(size * (size - 1) / 2), Double(size)] && word == [1, UInt8(round)]
    }
  }

  @Test func onePartAlone() {
    #expect(Self.check(SoloCommunicator()) && SoloCommunicator().isFirst)
  }

  @Test(arguments: [1, 2, 5]) func threads(_ size: Int) async throws {
    let results = try await onRanks(size) { Self.check($0) }
    #expect(results == [Bool](repeating: true, count: size))
  }

  private static let count = 600_007

  /// Ranks with replicas of their own end with equal tables, those of the reference, whatever the order of the ranks
  /// and however many threads merge.
  @Test(.slow) func ranksMergeAsReplicasDo() async throws {
    var results: Set<[UInt32]> = []
    for (threads, order) in [(1, [0, 1, 2]), (2, [2, 0, 1])] {
      let tables = try await onRanks(3) { communicator in
        let group = try MergeTests.group(2, count: Self.count, communicator: communicator, threads: threads)
        for round in 0..<2 {
          for (number, replica) in group.replicas.enumerated() {
            let seed = UInt64(round * 100 + order[communicator.rank] * 10 + number + 1)
            // Rank 1 learns much less, and one of its replicas nothing at all.
            let updates = order[communicator.rank] == 1 ? number * 1000 : 60_000
            MergeTests.learn(replica, updates: updates, seed: seed)
          }
          group.merge()
        }
        return group
      }
      for group in tables {
        for table in [group.merged] + group.replicas { results.insert(MergeTests.bits(MergeTests.cells(table))) }
        // There are more blocks than ranks send at a time.
        #expect(group.mergeTotals.bytesSent > 0 && group.mergeTotals.blocks > 2 << 15)
      }
    }
    #expect(results.count == 1)
    let flat = try MergeTests.group(6, count: Self.count)
    for round in 0..<2 {
      for (number, replica) in flat.replicas.enumerated() {
        let (rank, own) = (number / 2, number % 2)
        let updates = rank == 1 ? own * 1000 : 60_000
        MergeTests.learn(replica, updates: updates, seed: UInt64(round * 100 + rank * 10 + own + 1))
      }
      flat.merge()
    }
    let bits = try #require(results.first)
    for (index, cell) in MergeTests.cells(flat.merged).enumerated() {
      let weight = Float(bitPattern: bits[3 * index])
      let isNear =
        abs(weight - cell.weight) < 1e-2
        && abs(Float(bitPattern: bits[3 * index + 2]) - cell.absoluteErrorSum) < 1
      #expect(isNear, "weight \(index)")
      guard isNear else { return }
    }
  }

  /// A bit for each block, then a word for each changed block and three for each changed weight: straight to the other
  /// rank, or, of blocks that both have changed, to the block's owner and from the owner to the other rank.
  @Test func onlyChangedWeightsTravel() async throws {
    let totals = try await onRanks(2) { communicator in
      let group = try MergeTests.group(1, count: 64 * 160, communicator: communicator)
      // Rank 0 changes two weights in each of ten blocks, rank 1 one other weight in the last five of them.
      for block in 0..<10 {
        for weight in communicator.rank == 0 ? [0, 15] : block < 5 ? [] : [7] {
          group.replicas[0][block * 16 + weight].weight += 1
        }
      }
      group.merge()
      return group.mergeTotals
    }
    let map = 8 * 10
    func bytes(blocks: Int, weights: Int) -> Int { 4 * blocks * (1 + 3 * weights) }
    // Rank 0 alone has changed the first five blocks. Of the others, rank 0 owns two and rank 1 three.
    let first = bytes(blocks: 5, weights: 2) + bytes(blocks: 3, weights: 2) + bytes(blocks: 2, weights: 3)
    let second = bytes(blocks: 2, weights: 1) + bytes(blocks: 3, weights: 3)
    #expect(totals.map(\.bytesSent) == [map + first, map + second])
    #expect(totals.map(\.contested) == [5, 5])
    #expect(totals.map(\.blocks) == [10, 10])
  }
}
