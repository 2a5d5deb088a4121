import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() throws {
    let indexer = TupleIndexer(try NamedLayout.named("17x4")!.specification())
    let weights = try WeightStorage<CoherenceCell>(count: indexer.specification.weightCount)
    let learner = TemporalDifferenceLearner(
      weights: weights, rule: TemporalCoherence(alpha: 1), featureCount: indexer.featureCount)
    let features = FeatureBuffer(indexer.specification, slots: 1)
    indexer.write(Board(bits: 0x21).bits, into: features, slot: 0)
    let value = learner.value(features, slot: 0)
    let error = learner.learn(features, slot: 0, value: value, target: 100)
    print(error, learner.value(features, slot: 0))
    #expect(error == 100)
    #expect(abs(learner.value(features, slot: 0) - 100) < 0.01)
  }
}
