import Testing
import TupeloCluster
import TupeloTables

/// The lines of this module's README.
@Suite struct ClusterReadmeTests {
  @Test func example() throws {
    let merged = try WeightStorage<CoherenceCell>(count: 1 << 16)
    let group = try ReplicaGroup(merged: merged, count: 2)
    for (replica, error) in zip(group.replicas, [Float(30), 10]) {
      var cell = replica[5]
      cell.weight += error
      cell.errorSum += error
      cell.absoluteErrorSum += error
      replica[5] = cell
    }
    group.merge()
    print(merged[5].weight, merged[5].absoluteErrorSum)
    #expect(merged[5].weight == 25 && merged[5].absoluteErrorSum == 40)
  }
}
