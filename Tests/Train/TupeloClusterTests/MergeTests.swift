import TestSupport
import Testing
import TupeloCluster
import TupeloTables

@Suite struct MergeTests {
  /// The count is not a multiple of 16, so that the last block is not full, and larger than one slice.
  private static let count = 300_011

  private static func random(_ random: inout TestRandom) -> CoherenceCell {
    var cell = CoherenceCell()
    cell.weight = Float.random(in: -1000...1000, using: &random)
    cell.absoluteErrorSum = Float.random(in: 0...1e5, using: &random)
    cell.errorSum = cell.absoluteErrorSum * Float.random(in: -1...1, using: &random)
    return cell
  }

  /// Makes a group whose last merge left random cells.
  static func group(
    _ replicas: Int, count: Int = count, seed: UInt64 = 1, communicator: any Communicator = SoloCommunicator(),
    threads: Int? = nil
  ) throws -> ReplicaGroup<CoherenceCell> {
    var source = TestRandom(state: seed)
    let merged = try WeightStorage<CoherenceCell>(count: count)
    for index in 0..<count { merged[index] = random(&source) }
    let group = try ReplicaGroup(merged: merged, count: replicas, communicator: communicator, threads: threads)
    group.spread()
    return group
  }

  /// Updates a replica at random places, as temporal coherence does, but without a game.
  static func learn(_ table: WeightStorage<CoherenceCell>, updates: Int, seed: UInt64) {
    var source = TestRandom(state: seed &* 77)
    for _ in 0..<updates {
      // Half of the updates go to a few weights, which several replicas change.
      let index = Int.random(in: 0..<(Bool.random(using: &source) ? 1000 : table.count), using: &source)
      let error = Float.random(in: -300...300, using: &source)
      var cell = table[index]
      cell.weight += error / 32
      cell.errorSum += error
      cell.absoluteErrorSum += abs(error)
      table[index] = cell
    }
  }

  static func cells(_ table: WeightStorage<CoherenceCell>) -> [CoherenceCell] { (0..<table.count).map { table[$0] } }

  static func bits(_ cells: [CoherenceCell]) -> [UInt32] {
    cells.flatMap { [$0.weight.bitPattern, $0.errorSum.bitPattern, $0.absoluteErrorSum.bitPattern] }
  }

  private static func bits(_ table: WeightStorage<CoherenceCell>) -> [UInt32] { bits(cells(table)) }

  /// Merged weights agree with the slow reference, within rounding in single precision. Weights that nobody changed are
  /// equal bit for bit, and every replica equals the merged table.
  @Test(.slow, arguments: [1, 2, 3, 5]) func agreesWithTheReference(_ replicas: Int) throws {
    let group = try Self.group(replicas)
    for round in 0..<3 {
      let base = Self.cells(group.merged)
      for (number, replica) in group.replicas.enumerated() {
        Self.learn(replica, updates: 20_000, seed: UInt64(round * 10 + number + 1))
      }
      let own = group.replicas.map(Self.cells)
      group.merge()
      let merged = Self.cells(group.merged)
      for index in base.indices {
        let cells = own.map { $0[index] }
        let expected = SlowMerge.merge(base[index], cells)
        let isNear = SlowMerge.agrees(merged[index], with: expected, base: base[index])
        #expect(isNear, "weight \(index): \(merged[index]), expected \(expected)")
        guard isNear else { return }
        if Self.bits(cells) == Self.bits([CoherenceCell](repeating: base[index], count: replicas)) {
          #expect(Self.bits([merged[index]]) == Self.bits([base[index]]))
        }
      }
      for replica in group.replicas { #expect(Self.bits(replica) == Self.bits(merged)) }
    }
    #expect(group.mergeTotals.merges == 3 && group.mergeTotals.blocks > 3 * 60)
  }

  /// Replicas that learned the same keep every weight. Their sums add up.
  @Test(arguments: [2, 3, 7]) func identicalReplicasKeepTheirWeights(_ replicas: Int) throws {
    let group = try Self.group(replicas)
    let base = Self.cells(group.merged)
    for replica in group.replicas { Self.learn(replica, updates: 20_000, seed: 5) }
    let own = Self.cells(group.replicas[0])
    group.merge()
    let merged = Self.cells(group.merged)
    #expect(merged.map(\.weight.bitPattern) == own.map(\.weight.bitPattern))
    for index in base.indices where own[index].absoluteErrorSum != base[index].absoluteErrorSum {
      let growth = own[index].absoluteErrorSum - base[index].absoluteErrorSum
      #expect(abs(merged[index].absoluteErrorSum - base[index].absoluteErrorSum - Float(replicas) * growth) <= 0.1)
    }
  }

  @Test func nothingLearnedChangesNothing() throws {
    let group = try Self.group(3)
    let base = Self.bits(group.merged)
    group.merge()
    #expect(Self.bits(group.merged) == base && Self.bits(group.replicas[2]) == base)
    #expect(group.mergeTotals.blocks == 0)
  }

  /// Replicas that played nothing do not count: the other replicas merge as without them, to the bit.
  @Test func idleReplicasChangeNothing() throws {
    let (alone, pair, more) = try (Self.group(1), Self.group(2), Self.group(4))
    for group in [alone, pair, more] {
      for number in 0..<min(group.replicas.count, 2) where group !== alone || number == 0 {
        Self.learn(group.replicas[number], updates: 20_000, seed: UInt64(number + 1))
      }
      group.merge()
    }
    #expect(Self.bits(more.merged) == Self.bits(pair.merged))
    #expect(Self.bits(pair.merged) != Self.bits(alone.merged))
    let single = try Self.group(3)
    Self.learn(single.replicas[1], updates: 20_000, seed: 1)
    single.merge()
    #expect(Self.bits(single.merged) == Self.bits(alone.merged))
  }

  /// The order of the replicas makes no difference, to the bit.
  @Test func theOrderOfReplicasDoesNotMatter() throws {
    var results: Set<[UInt32]> = []
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
      let group = try Self.group(5)
      for (replica, seed) in zip(group.replicas, order) {
        Self.learn(replica, updates: 20_000, seed: UInt64(seed + 1))
      }
      group.merge()
      results.insert(Self.bits(group.merged))
    }
    #expect(results.count == 1)
  }

  /// A change without growth of A, as in a warm-up, is a plain mean among such changes, and nothing beside growth.
  @Test func changesWithoutGrowthAreAveraged() throws {
    let group = try Self.group(3)
    let base = Self.cells(group.merged)
    for (number, replica) in group.replicas.enumerated() {
      var cell = base[7]
      cell.weight += [10, 20, 0][number]
      replica[7] = cell
      cell = base[40]
      cell.weight += [10, 1000, 0][number]
      if number == 0 { cell.absoluteErrorSum += 10 }
      replica[40] = cell
    }
    group.merge()
    #expect(abs(group.merged[7].weight - base[7].weight - 15) < 1e-3)
    #expect(group.merged[7].absoluteErrorSum == base[7].absoluteErrorSum)
    #expect(abs(group.merged[40].weight - base[40].weight - 10) < 1e-3)
  }

  /// With a constant step size, a merged weight is the mean over the replicas that changed it.
  @Test func constantStepsAreAveragedOverTheirChanges() throws {
    let merged = try WeightStorage<PlainCell>(count: 1000)
    var source = TestRandom(state: 3)
    for index in 0..<1000 { merged[index] = PlainCell(weight: .random(in: -10...10, using: &source)) }
    let group = try ReplicaGroup(merged: merged, count: 3)
    group.spread()
    let base = (0..<1000).map { merged[$0].weight }
    for replica in group.replicas {
      for _ in 0..<500 {
        let index = Int.random(in: 0..<1000, using: &source)
        replica[index].weight += .random(in: -1...1, using: &source)
      }
    }
    let own = group.replicas.map { replica in (0..<1000).map { replica[$0].weight } }
    group.merge()
    for index in 0..<1000 {
      let expected = SlowMerge.mean(base[index], own.map { $0[index] })
      #expect(abs(Double(merged[index].weight) - expected) < 1e-5)
    }
  }

  /// Sums have the same bits in any order, and differ from exact arithmetic by at most 2^-38 of the largest term.
  @Test func sumsDoNotDependOnTheOrder() {
    var source = TestRandom(state: 11)
    for _ in 0..<2000 {
      let terms = (0..<Int.random(in: 1...40, using: &source)).map { _ in
        Double.random(in: -1...1, using: &source) * Double(1 << Int.random(in: 0...40, using: &source))
      }
      let sum = OrderFreeSum.sum(terms)
      #expect(sum == OrderFreeSum.sum(terms.shuffled(using: &source)) && sum == OrderFreeSum.sum(terms + [0, 0]))
      #expect(abs(sum - terms.reduce(0, +)) <= (terms.map(abs).max() ?? 0) * 0x1p-34)
    }
    #expect(OrderFreeSum.sum([]) == 0)
  }
}
