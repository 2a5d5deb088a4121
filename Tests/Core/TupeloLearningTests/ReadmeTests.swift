import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() throws {
    let indexer = TupleIndexer(try .named("17x4"))
    let weights = try WeightStorage<CoherenceCell>(count: indexer.specification.weightCount)
    let learner = TemporalDifferenceLearner(
      weights: weights, rule: TemporalCoherence(alpha: 1), featureCount: indexer.featureCount)
    var features = indexer.makeBuffer(slots: 1)
    indexer.write(Afterstate(bits: 0x21), into: &features, slot: 0)
    let value = learner.value(features, slot: 0)
    let error = learner.learn(features, slot: 0, value: value, target: 100)
    print(error, learner.value(features, slot: 0))
    #expect(error == 100)
    #expect(abs(learner.value(features, slot: 0) - 100) < 0.01)
  }
}
