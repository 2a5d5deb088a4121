import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables

/// Each learner sees whole episodes, and is compared with the textbook in double precision.
@Suite struct LearnerTests {
  private static let patterns = ["0123", "4567", "01245"]

  /// A choice: the state that it leads to, and its reward.
  private struct Step {
    var matrix: [[Int]]
    var reward: Double
  }

  /// Episodes of few states, so that they come back within an episode and from one to the next. No state has a feature
  /// twice. For such a feature, the value that an update returns counts the weight once as it was between its two
  /// changes (`WeightStorage.update`), and the textbook does not.
  private static func episodes() -> [[Step]] {
    var positions = RandomPositions(seed: 31)
    let network = DictionaryNetwork(patterns: patterns)
    let matrices = (0..<60).map { _ in positions.matrix(largest: 6) }.filter {
      let features = network.features(of: $0)
      return Set(features).count == features.count
    }
    return (0..<40).map { number in
      (0..<(number % 12)).map { _ in
        Step(matrix: matrices[positions.number(below: matrices.count)], reward: Double(positions.number(below: 500)))
      }
    }
  }

  /// The warm-up ends, and a step size changes, when the run has played its number of games.
  @Test func stepSizesChangeAtTheirGames() {
    var schedule = StepSizeSchedule()
    schedule.warmUpGames = 10
    schedule.changes = [.init(games: 20, alpha: 0.5), .init(games: 30, alpha: 0.25)]
    let steps = [9, 10, 19, 20, 29, 30].map { schedule.stepSize(after: $0, alpha: 1) }
    #expect(steps.map(\.alpha) == [0.1, 1, 1, 0.5, 0.5, 0.25])
    #expect(steps.map(\.isWarmUp) == [true, false, false, false, false, false])
  }

  /// A function that updates a network from one state, from which each learner is made. It returns the error.
  private typealias Teach = (inout DictionaryNetwork, [[Int]], Double) -> Double

  private static func run<L: Learner & ~Copyable, Rule: StepSizeRule>(
    _ rule: Rule, _ make: (ValueTable<Rule>, TupleIndexer) -> L,
    reference learn: (inout DictionaryNetwork, [Step]) -> Double
  ) throws where L.Encoder == TupleIndexer {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: patterns.map { try TuplePattern(text: $0) }))
    let weights = try WeightStorage<Rule.Cell>(count: indexer.specification.weightCount)
    var learner = make(
      ValueTable(weights: weights, rule: rule, featureCount: indexer.featureCount), indexer)
    let window = learner.window
    var features = indexer.makeBuffer(slots: window + learner.scratchSlots)
    var episode = learner.makeEpisode()
    var reference = DictionaryNetwork(patterns: patterns)
    for steps in episodes() {
      learner.begin(&episode)
      var errors = 0.0
      for (number, step) in steps.enumerated() {
        let (slot, state) = (number % window, try Afterstate(matrix: step.matrix))
        learner.settle(&episode, &features, errors: &errors)
        learner.encoder.write(state, into: &features, slot: slot)
        let value = learner.value(features, slot: slot)
        let choice = LearningStep(state: state, slot: slot, value: value, reward: Float(step.reward))
        learner.append(choice, to: &episode, &features, errors: &errors)
      }
      learner.settle(&episode, &features, errors: &errors)
      learner.finish(&episode, &features, errors: &errors)
      let expected = learn(&reference, steps)
      #expect(abs(errors - expected) < 0.01 + 1e-4 * expected, "\(errors), expected \(expected)")
    }
    #expect(reference.weights.count > 400)
    for (feature, weight) in reference.weights {
      let index = indexer.storageIndex(pattern: feature.pattern, standardIndex: feature.standardIndex)
      #expect(abs(Double(weights[index].weight) - weight) < 0.02)
    }
  }

  /// States learn one after the other, each when its successor is known.
  private static func oneStep(_ teach: @escaping Teach) -> (inout DictionaryNetwork, [Step]) -> Double {
    { network, steps in
      var errors = 0.0
      for index in steps.indices {
        let next = index + 1 < steps.count ? steps[index + 1] : nil
        let target = next.map { $0.reward + network.value(of: $0.matrix) } ?? 0
        errors += abs(teach(&network, steps[index].matrix, target))
      }
      return errors
    }
  }

  /// Each state learns `delay` choices late, from values as they were when the choices were made: V + sum of lambda^k
  /// delta.
  private static func delayed(
    lambda: Double, delay: Int, _ teach: @escaping Teach
  ) -> (inout DictionaryNetwork, [Step]) -> Double {
    { network, steps in
      var (values, errors) = ([Double](), 0.0)
      func target(_ index: Int) -> Double {
        let last = min(index + delay, steps.count)
        var target = last < steps.count ? values[last] : 0
        for next in stride(from: last, to: index, by: -1) {
          guard next < steps.count else { continue }
          let step = steps[next]
          target = step.reward + (1 - lambda) * values[next] + lambda * target
        }
        return target
      }
      for index in steps.indices {
        if index >= delay + 1 {
          errors += abs(teach(&network, steps[index - delay - 1].matrix, target(index - delay - 1)))
        }
        values.append(network.value(of: steps[index].matrix))
      }
      for index in max(steps.count - delay - 1, 0)..<max(steps.count, 0) {
        errors += abs(teach(&network, steps[index].matrix, target(index)))
      }
      return errors
    }
  }

  /// States are updated from the last to the first, with the values that later states have by then.
  private static func backward(
    lambda: Double, _ teach: @escaping Teach
  ) -> (inout DictionaryNetwork, [Step]) -> Double {
    { network, steps in
      var (errors, target) = (0.0, 0.0)
      for index in steps.indices.reversed() {
        if index + 1 < steps.count {
          let next = steps[index + 1]
          target = next.reward + (1 - lambda) * network.value(of: next.matrix) + lambda * target
        }
        errors += abs(teach(&network, steps[index].matrix, target))
      }
      return errors
    }
  }

  private static func constant(_ alpha: Double) -> Teach { { $0.learnConstant($1, target: $2, alpha: alpha) } }
  private static func coherent(_ alpha: Double) -> Teach { { $0.learnCoherent($1, target: $2, alpha: alpha) } }

  @Test func oneStepEqualsReference() throws {
    try Self.run(
      TemporalCoherence(alpha: 1), { OneStepLearner($0, encoder: $1) }, reference: Self.oneStep(Self.coherent(1)))
  }

  @Test(arguments: [(0.5, 2), (0.5, 4), (1.0, 3)]) func delayedEqualsReference(_ lambda: Double, _ steps: Int) throws {
    let returns = LambdaReturn(lambda: Float(lambda), steps: steps)
    try Self.run(
      TemporalCoherence(alpha: 1), { DelayedLearner($0, encoder: $1, returns: returns) },
      reference: Self.delayed(lambda: lambda, delay: steps, Self.coherent(1)))
  }

  @Test(arguments: [0.0, 0.5, 1.0]) func backwardEqualsReference(_ lambda: Double) throws {
    let returns = LambdaReturn(lambda: Float(lambda), steps: nil)
    try Self.run(
      TemporalCoherence(alpha: 1), { BackwardLearner($0, encoder: $1, returns: returns) },
      reference: Self.backward(lambda: lambda, Self.coherent(1)))
    try Self.run(
      ConstantStepSize(alpha: 0.2), { BackwardLearner($0, encoder: $1, returns: returns) },
      reference: Self.backward(lambda: lambda, Self.constant(0.2)))
  }

  /// An episode that is given up leaves nothing behind: the next one learns as with a new learner.
  @Test(arguments: [1, 2, 4, nil] as [Int?]) func anEpisodeThatIsGivenUpIsForgotten(_ steps: Int?) throws {
    let returns = LambdaReturn(lambda: 0.5, steps: steps)
    if steps == nil {
      try Self.giveUp { BackwardLearner($0, encoder: $1, returns: returns) }
      try Self.giveUp { OneStepLearner($0, encoder: $1) }
    } else {
      try Self.giveUp { DelayedLearner($0, encoder: $1, returns: returns) }
    }
  }

  private static func giveUp<L: Learner>(
    _ make: (ValueTable<TemporalCoherence>, TupleIndexer) -> L
  ) throws where L.Encoder == TupleIndexer {
    let indexer = TupleIndexer(try NetworkSpecification(patterns: [TuplePattern(text: "0123")]))
    var results: [[Float]] = []
    for lengths in [[6], [5, 6]] {
      let weights = try WeightStorage<CoherenceCell>(count: indexer.specification.weightCount)
      let table = ValueTable(
        weights: weights, rule: TemporalCoherence(alpha: 1), featureCount: indexer.featureCount)
      var learner = make(table, indexer)
      var features = indexer.makeBuffer(slots: learner.window + learner.scratchSlots)
      var episode = learner.makeEpisode()
      for length in lengths {
        learner.begin(&episode)
        for number in 0..<length {
          let (slot, state) = (number % learner.window, Afterstate(bits: UInt64(0x4321 + number)))
          var errors = 0.0
          // The first of two episodes is only reported, so that it changes no weight.
          if length == 6 { learner.settle(&episode, &features, errors: &errors) }
          indexer.write(state, into: &features, slot: slot)
          let step = LearningStep(state: state, slot: slot, value: learner.value(features, slot: slot), reward: 8)
          learner.append(step, to: &episode, &features, errors: &errors)
        }
      }
      var errors = 0.0
      learner.settle(&episode, &features, errors: &errors)
      learner.finish(&episode, &features, errors: &errors)
      results.append((0..<weights.count).map { weights[$0].weight } + [Float(errors)])
    }
    #expect(results[0] == results[1] && results[0].contains { $0 != 0 })
  }
}
