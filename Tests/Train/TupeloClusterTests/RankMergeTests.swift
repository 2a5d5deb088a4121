import TestSupport
import Testing
import TupeloCluster
import TupeloTables

/// Merges over ranks that changed little or nothing, compared with the reference.
@Suite struct RankMergeTests {
  /// The count is not a multiple of 16, and has enough blocks for several threads.
  private static let count = 40_003

  /// The cells of a rank before each merge, and after it.
  private struct Rounds: Sendable {
    var own: [[CoherenceCell]] = []
    var merged: [[CoherenceCell]] = []
  }

  /// Merges on three ranks: one idle, all idle, all at work; with weights that changed without growth of A, and errors
  /// that grew alone.
  private static func rounds(threads: Int) async throws -> (start: [CoherenceCell], ranks: [Rounds]) {
    let start = MergeTests.cells(try MergeTests.group(1, count: count).merged)
    let ranks = try await onRanks(3) { communicator in
      let group = try MergeTests.group(1, count: count, communicator: communicator, threads: threads)
      var rounds = Rounds()
      for round in 0..<3 {
        let rank = communicator.rank
        if round == 2 || (round == 0 && rank != 2) {
          let replica = group.replicas[0]
          MergeTests.learn(replica, updates: 20_000, seed: UInt64(10 * round + rank + 1))
          replica[20_007].weight += Float(10 * rank + 10)
          replica[count - 1].errorSum += Float(rank + 1)
        }
        rounds.own.append(MergeTests.cells(group.replicas[0]))
        group.merge()
        rounds.merged.append(MergeTests.cells(group.merged))
        #expect(MergeTests.bits(MergeTests.cells(group.replicas[0])) == MergeTests.bits(rounds.merged[round]))
      }
      return rounds
    }
    return (start, ranks)
  }

  @Test(arguments: [1, 3]) func agreesWithTheReference(_ threads: Int) async throws {
    let (start, ranks) = try await Self.rounds(threads: threads)
    var base = start
    for round in 0..<3 {
      let merged = ranks[0].merged[round]
      for rank in ranks { #expect(MergeTests.bits(rank.merged[round]) == MergeTests.bits(merged)) }
      for index in base.indices {
        let expected = SlowMerge.merge(base[index], ranks.map { $0.own[round][index] })
        let isNear = SlowMerge.agrees(merged[index], with: expected, base: base[index])
        #expect(isNear, "round \(round), weight \(index): \(merged[index]), expected \(expected)")
        guard isNear else { return }
      }
      if round == 1 { #expect(MergeTests.bits(merged) == MergeTests.bits(base)) }
      base = merged
    }
    #expect(base[20_007].weight != start[20_007].weight)
  }

  /// With a constant step size a row has no sums.
  @Test func constantStepsAreMerged() async throws {
    let (count, base) = (2000, (0..<2000).map { Float($0) })
    let results = try await onRanks(3) { communicator in
      let merged = try WeightStorage<PlainCell>(count: count)
      for index in 0..<count { merged[index] = PlainCell(weight: base[index]) }
      let group = try ReplicaGroup(merged: merged, count: 1, communicator: communicator)
      group.spread()
      var source = TestRandom(state: UInt64(communicator.rank + 1))
      for _ in 0..<700 {
        group.replicas[0][Int.random(in: 0..<count, using: &source)].weight += .random(in: -1...1, using: &source)
      }
      let own = (0..<count).map { group.replicas[0][$0].weight }
      group.merge()
      return (own, (0..<count).map { merged[$0].weight })
    }
    for (_, merged) in results { #expect(merged == results[0].1) }
    for index in 0..<count {
      let expected = SlowMerge.mean(base[index], results.map { $0.0[index] })
      #expect(abs(Double(results[0].1[index]) - expected) < 1e-3)
    }
  }
}
