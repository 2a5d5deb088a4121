import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork

/// A thousand updates against the textbook in double precision.
@Suite struct UpdateTests {
  /// Few boards, so that their features overlap and every update meets the traces of others.
  private static func lessons() -> [(matrix: [[Int]], target: Double)] {
    var positions = RandomPositions(seed: 21)
    let matrices = (0..<40).map { _ in positions.matrix(largest: 6) }
    return (0..<1000).map { _ in
      (matrices[positions.number(below: matrices.count)], positions.number(in: 0...3000))
    }
  }

  private static let patterns = ["0123", "4567", "01245"]

  private static func run<Rule: StepSizeRule>(
    _ rule: Rule, learn: (inout DictionaryNetwork, [[Int]], Double) -> Double
  ) throws {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: patterns.map { try TuplePattern(text: $0) }))
    let weights = try WeightStorage<Rule.Cell>(count: indexer.specification.weightCount)
    let learner = TemporalDifferenceLearner(weights: weights, rule: rule, featureCount: indexer.featureCount)
    let features = FeatureBuffer(featureCount: indexer.featureCount, slots: 1)
    var reference = DictionaryNetwork(patterns: patterns)
    for (matrix, target) in lessons() {
      indexer.write(try Afterstate(matrix: matrix).bits, into: features, slot: 0)
      let value = learner.value(features, slot: 0)
      let error = learner.learn(features, slot: 0, value: value, target: Float(target))
      let expected = learn(&reference, matrix, Double(Float(target)))
      #expect(
        abs(Double(error) - expected) < 0.02 * max(1, abs(expected) * 0.01), "error \(error), expected \(expected)")
    }
    #expect(reference.weights.count > 500)
    for (feature, weight) in reference.weights {
      let index = indexer.storageIndex(pattern: feature.pattern, standardIndex: feature.standardIndex)
      #expect(abs(Double(weights[index].weight) - weight) < 0.01)
    }
  }

  @Test func constantStepSizeEqualsReference() throws {
    try Self.run(ConstantStepSize(alpha: 0.1)) { $0.learnConstant($1, target: $2, alpha: 0.1) }
  }

  @Test func temporalCoherenceEqualsReference() throws {
    try Self.run(TemporalCoherence(alpha: 1)) { $0.learnCoherent($1, target: $2, alpha: 1) }
  }

  /// Plain TD takes the value of move selection; temporal coherence looks again.
  @Test func onlyTemporalCoherenceReevaluates() throws {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: [TuplePattern(text: "0123")]))
    let features = FeatureBuffer(featureCount: indexer.featureCount, slots: 1)
    indexer.write(0x1234, into: features, slot: 0)
    let plain = TemporalDifferenceLearner(
      weights: try WeightStorage(count: 1 << 16), rule: ConstantStepSize(alpha: 0.5), featureCount: 8)
    #expect(plain.learn(features, slot: 0, value: 30, target: 100) == 70)
    let coherent = TemporalDifferenceLearner(
      weights: try WeightStorage(count: 1 << 16), rule: TemporalCoherence(alpha: 0.5), featureCount: 8)
    #expect(coherent.learn(features, slot: 0, value: 30, target: 100) == 100)
  }
}
