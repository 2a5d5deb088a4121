import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables

/// A thousand updates compared with the textbook in double precision.
@Suite struct UpdateTests {
  /// Updates on few boards, so that their features overlap and every update changes weights that other updates have
  /// changed.
  private static func lessons() -> [(matrix: [[Int]], target: Double)] {
    var positions = RandomPositions(seed: 21)
    let matrices = (0..<40).map { _ in positions.matrix(largest: 6) }
    return (0..<1000).map { _ in
      (matrices[positions.number(below: matrices.count)], positions.number(in: 0...3000))
    }
  }

  /// Four patterns that are updated at once, and one that is left over.
  private static let patterns = ["0123", "4567", "01245", "0145", "5678"]

  private static func run<Rule: StepSizeRule>(
    _ rule: Rule, learn: (inout DictionaryNetwork, [[Int]], Double) -> Double
  ) throws {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: patterns.map { try TuplePattern(text: $0) }))
    let weights = try WeightStorage<Rule.Cell>(count: indexer.specification.weightCount)
    let table = ValueTable(weights: weights, rule: rule, featureCount: indexer.featureCount)
    var features = indexer.makeBuffer(slots: 1)
    var reference = DictionaryNetwork(patterns: patterns)
    for (matrix, target) in lessons() {
      indexer.write(try Afterstate(matrix: matrix), into: &features, slot: 0)
      let value = table.value(features, slot: 0)
      let error = table.learn(features, slot: 0, value: value, target: Float(target))
      let expected = learn(&reference, matrix, Double(Float(target)))
      let tolerance: Double = 0.02 * max(1, abs(expected) * 0.01)
      #expect(abs(Double(error) - expected) < tolerance, "error \(error), expected \(expected)")
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

  /// Four weights that are updated at once change as each of them alone would, bit for bit. The order is the same where
  /// boards are symmetric and features coincide.
  @Test(arguments: [false, true]) func fourLearnAsOne(isWarmUp: Bool) throws {
    try Self.expectFourLearnAsOne(TemporalCoherence(alpha: 0.7, isWarmUp: isWarmUp))
    try Self.expectFourLearnAsOne(ConstantStepSize(alpha: 0.7))
  }

  private static func expectFourLearnAsOne<Rule: StepSizeRule>(_ rule: Rule) throws {
    let specification = try NetworkSpecification(patterns: patterns.map { try TuplePattern(text: $0) })
    let indexer = TupleIndexer(specification)
    var fours = indexer.makeBuffer(slots: 1)
    let layout = FeatureLayout(
      featureCount: indexer.featureCount, groupSize: indexer.featureCount, weightCount: specification.weightCount)
    var ones = FeatureBuffer(layout, slots: 1)
    let tables = try (0..<2).map { _ in
      ValueTable(
        weights: try WeightStorage<Rule.Cell>(count: specification.weightCount), rule: rule,
        featureCount: indexer.featureCount)
    }
    let symmetric: [UInt64] = [0, 0x1111_1111_1111_1111, 0x1221_2332_2332_1221, 0x0110_1001_1001_0110]
    let boards = try lessons().map { (bits: try Afterstate(matrix: $0.matrix).bits, target: Float($0.target)) }
    for (number, lesson) in boards.enumerated() {
      let bits = number % 5 == 0 ? symmetric[number / 5 % 4] : lesson.bits
      indexer.write(Afterstate(bits: bits), into: &fours, slot: 0)
      indexer.write(Afterstate(bits: bits), into: &ones, slot: 0)
      let error = lesson.target - tables[0].value(fours, slot: 0)
      let values = (
        tables[0].update(fours, slot: 0, error: error), tables[1].update(ones, slot: 0, error: error)
      )
      #expect(values.0.bitPattern == values.1.bitPattern)
    }
    for index in 0..<specification.weightCount {
      for plane in Rule.Cell.planes.indices {
        let (four, one) = (tables[0].weights[index][plane: plane], tables[1].weights[index][plane: plane])
        guard four.bitPattern != one.bitPattern else { continue }
        Issue.record("weight \(index), plane \(plane): \(four), \(one)")
        return
      }
    }
  }

  /// Plain TD uses the value from move selection; temporal coherence evaluates the state again.
  @Test func onlyTemporalCoherenceReevaluates() throws {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: [TuplePattern(text: "0123")]))
    var features = indexer.makeBuffer(slots: 1)
    indexer.write(Afterstate(bits: 0x1234), into: &features, slot: 0)
    let plain = ValueTable(
      weights: try WeightStorage(count: 1 << 16), rule: ConstantStepSize(alpha: 0.5), featureCount: 8)
    #expect(plain.learn(features, slot: 0, value: 30, target: 100) == 70)
    let coherent = ValueTable(
      weights: try WeightStorage(count: 1 << 16), rule: TemporalCoherence(alpha: 0.5), featureCount: 8)
    #expect(coherent.learn(features, slot: 0, value: 30, target: 100) == 100)
  }
}
