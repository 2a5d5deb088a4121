import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// Batches compared with the textbook in double precision.
@Suite struct BatchTests {
  private static let patterns = ["0123", "4567", "01245"]

  /// Updates on few boards, so that states of a batch share features and whole states occur twice.
  private static func lessons(_ count: Int) -> [(matrix: [[Int]], target: Double)] {
    var positions = RandomPositions(seed: 22)
    let matrices = (0..<40).map { _ in positions.matrix(largest: 6) }
    return (0..<count).map { _ in (matrices[positions.number(below: matrices.count)], positions.number(in: 0...3000)) }
  }

  private static func run<Rule: StepSizeRule>(
    _ rule: Rule, size: Int, reference learn: (inout DictionaryNetwork, [(matrix: [[Int]], target: Double)]) -> [Double]
  ) throws {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: patterns.map { try TuplePattern(text: $0) }))
    let weights = try WeightStorage<Rule.Cell>(count: indexer.specification.weightCount)
    let table = ValueTable(weights: weights, rule: rule, featureCount: indexer.featureCount)
    var batch = BatchUpdate(table, layout: indexer.layout, capacity: size)
    var features = indexer.makeBuffer(slots: 1)
    var reference = DictionaryNetwork(patterns: patterns)
    let lessons = lessons(1000)
    for start in stride(from: 0, to: lessons.count, by: size) {
      // The last batch may be smaller.
      let part = Array(lessons[start..<min(start + size, lessons.count)])
      var found = 0.0
      for (number, lesson) in part.enumerated() {
        let gathered = batch.count
        #expect(gathered == number)
        indexer.write(try Afterstate(matrix: lesson.matrix), into: &features, slot: 0)
        found += batch.append(features, slot: 0, target: Float(lesson.target))
      }
      found += batch.learn()
      let left = batch.count
      #expect(left == 0)
      let rounded = part.map { (matrix: $0.matrix, target: Double(Float($0.target))) }
      let expected = learn(&reference, rounded).reduce(0) { $0 + abs($1) }
      #expect(abs(found - expected) < 0.02 * Double(part.count) + expected * 1e-4, "\(found), expected \(expected)")
    }
    #expect(reference.weights.count > 500)
    for (feature, weight) in reference.weights {
      let index = indexer.storageIndex(pattern: feature.pattern, standardIndex: feature.standardIndex)
      #expect(abs(Double(weights[index].weight) - weight) < 0.02)
      guard Rule.Cell.self == CoherenceCell.self else { continue }
      #expect(abs(Double(weights[index][plane: 1]) - reference.errorSums[feature]!) < 0.5)
    }
  }

  /// A batch of one is the sequential learner, whose reference looks the value up just before the update.
  @Test func oneStateIsSequential() throws {
    try Self.run(ConstantStepSize(alpha: 0.1), size: 1) {
      [$0.learnConstant($1[0].matrix, target: $1[0].target, alpha: 0.1)]
    }
    try Self.run(TemporalCoherence(alpha: 1), size: 1) {
      [$0.learnCoherent($1[0].matrix, target: $1[0].target, alpha: 1)]
    }
  }

  /// In batches of one, a learner updates each state as soon as the value of the next state is known.
  @Test func aLearnerOfOneStateIsOneStep() throws {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: Self.patterns.map { try TuplePattern(text: $0) }))
    let weights = try WeightStorage<CoherenceCell>(count: indexer.specification.weightCount)
    let table = ValueTable(
      weights: weights, rule: TemporalCoherence(alpha: 1), featureCount: indexer.featureCount)
    var learner = BatchLearner(table, encoder: indexer, size: 1)
    let window = learner.window
    var features = indexer.makeBuffer(slots: window)
    var episode = learner.makeEpisode()
    var reference = DictionaryNetwork(patterns: Self.patterns)
    let steps = Self.lessons(400)
    for start in stride(from: 0, to: steps.count, by: 10) {
      let steps = steps[start..<start + 10]
      learner.begin(&episode)
      var (errors, expected) = (0.0, 0.0)
      for (number, step) in steps.enumerated() {
        let (slot, state) = (number % window, try Afterstate(matrix: step.matrix))
        learner.settle(&episode, &features, errors: &errors)
        indexer.write(state, into: &features, slot: slot)
        let value = learner.value(features, slot: slot)
        let choice = LearningStep(state: state, slot: slot, value: value, reward: Float(step.target))
        learner.append(choice, to: &episode, &features, errors: &errors)
      }
      learner.finish(&episode, &features, errors: &errors)
      for index in steps.indices {
        let next = steps.index(after: index)
        let target =
          next < steps.endIndex
          ? Double(Float(steps[next].target)) + reference.value(of: steps[next].matrix) : 0
        expected += abs(reference.learnCoherent(steps[index].matrix, target: target, alpha: 1))
      }
      #expect(abs(errors - expected) < 0.02 + 1e-4 * expected, "\(errors), expected \(expected)")
    }
  }

  @Test(arguments: [1, 2, 7, 64, 256]) func constantStepSizeEqualsReference(_ size: Int) throws {
    try Self.run(ConstantStepSize(alpha: 0.1), size: size) { $0.learnBatch($1, alpha: 0.1, coherent: false) }
  }

  @Test(arguments: [1, 2, 7, 64, 256]) func temporalCoherenceEqualsReference(_ size: Int) throws {
    try Self.run(TemporalCoherence(alpha: 1), size: size) { $0.learnBatch($1, alpha: 1, coherent: true) }
  }

  /// A state that fills a batch moves as far as on its own: the sum of its steps would overshoot 256-fold.
  @Test func oneStateManyTimesMovesOnce() throws {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: [TuplePattern(text: "0123")]))
    let weights = try WeightStorage<PlainCell>(count: indexer.specification.weightCount)
    let table = ValueTable(
      weights: weights, rule: ConstantStepSize(alpha: 0.5), featureCount: indexer.featureCount)
    var batch = BatchUpdate(table, layout: indexer.layout, capacity: 256)
    var features = indexer.makeBuffer(slots: 1)
    // The board differs from all its symmetric boards, so no weight counts twice.
    indexer.write(Afterstate(bits: 0x1234_5678_9abc_def0), into: &features, slot: 0)
    var errors = 0.0
    for _ in 0..<256 { errors += batch.append(features, slot: 0, target: 100) }
    #expect(abs(errors - 25_600) < 1)
    #expect(abs(table.value(features, slot: 0) - 50) < 0.01)
    let rest = batch.learn()
    #expect(rest == 0)
  }

  /// The dense arithmetic of all rows of a batch, compared with that of a part of the rows.
  @Test(arguments: [(1, 8), (5, 17), (64, 32), (256, 64)], [0, 1, 3])
  func arithmeticIsExact(_ size: (rows: Int, columns: Int), _ missing: Int) {
    let rows = max(size.rows - missing, 0)
    var positions = RandomPositions(seed: 23)
    var batch = DenseBatch(rows: size.rows, columns: size.columns)
    for index in batch.weights.indices { batch.weights[index] = Float(positions.number(in: -100...100)) }
    for row in 0..<size.rows { batch.targets[row] = Float(positions.number(in: 0...5000)) }
    batch.computeByBLAS(rows: rows, share: 0.25)
    for row in 0..<rows {
      let value = (0..<size.columns).reduce(0.0) { $0 + Double(batch.weights[row * size.columns + $1]) }
      let error = Double(batch.targets[row]) - value
      #expect(abs(Double(batch.errors[row]) - error) < 0.01)
      for column in 0..<size.columns {
        #expect(abs(Double(batch.steps[row * size.columns + column]) - error / 4) < 0.01)
      }
    }
  }
}
