import Testing
import TupeloTables

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() throws {
    let layout = FeatureLayout(featureCount: 8, groupSize: 8, weightCount: 1 << 16)
    let weights = try WeightStorage<PlainCell>(count: layout.weightCount)
    let features = FeatureBuffer(layout, slots: 4)
    weights.update(features, slot: 0) {
      $0.weight += 1
    } four: { _ in
      .one
    }
    print(weights.sum(features, slot: 0))
    weights.exclusively { weights in
      weights.withMutableWeights { $0[3] = 0 }
    }
    // Eight features, all of them weight 0 in a fresh buffer: changed eight times, looked up eight times.
    #expect(weights.sum(features, slot: 0) == 64)
  }
}
