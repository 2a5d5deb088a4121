import Testing
import TupeloDense
import TupeloLearning
import TupeloTables

/// The dense learner on problems with known answers.
@Suite struct DenseLearnerTests {
  /// States are numbers; each is a feature of its own.
  struct OneHot: FeatureEncoder {
    let layout: FeatureLayout

    init(states: Int) { layout = FeatureLayout(featureCount: 1, groupSize: 1, weightCount: states) }

    func write(_ state: Int, into features: inout FeatureBuffer, slot: Int) {
      unsafe features.words(ofSlot: slot, for: layout)[0] = UInt32(state)
    }
  }

  private static func specification(states: Int, hidden: [Int]) throws -> DenseSpecification {
    let shape = try EmbeddingShape(indexCount: states, width: 7, groups: [0], hasLinearWeights: true)
    return try DenseSpecification(input: .embedding(shape), hiddenWidths: hidden)
  }

  private static func values<O: Optimizer & ~Copyable>(
    _ learner: inout DenseLearner<OneHot, O>, states: Int
  ) -> [Float] {
    for state in 0..<states { learner.write(state, number: state) }
    learner.evaluate(count: states)
    return (0..<states).map { learner.value(number: $0) }
  }

  private static func trajectory(_ states: [Int], rewards: [Float], end: Float? = nil) -> Trajectory<Int> {
    var trajectory = Trajectory<Int>()
    for (state, reward) in zip(states, rewards) {
      trajectory.append(state)
      trajectory.follow(reward: reward)
    }
    if let end { trajectory.cut(before: end) }
    return trajectory
  }

  /// A chain of ten states, with a reward of one point for each step: V is the number of steps left, whatever lambda is
  /// and wherever trajectories are cut.
  @Test(arguments: [(0, 1), (0.5, nil), (1, nil), (0.7, 3)] as [(Float, Int?)])
  func chain(lambda: Float, steps: Int?) throws {
    let count = 10
    let specification = try Self.specification(states: count, hidden: [16])
    let settings = DenseLearning(batch: 8, returns: LambdaReturn(lambda: lambda, steps: steps), unit: 4)
    var learner = try DenseLearner(
      DenseNetwork(specification, DenseInitialization(seed: 1)), Adam(specification, stepSize: 0.01),
      encoder: OneHot(states: count), settings: settings, choices: count)
    for round in 0..<1500 {
      if round == 1000 { learner.optimizer.stepSize = 0.001 }
      let values = Self.values(&learner, states: count)
      let length = steps ?? count
      let starts = stride(from: 0, to: count, by: length)
      let trajectories = starts.map { start in
        let states = Array(start..<min(start + length, count))
        // The last state of all has no reward after it, and every other state has one.
        let rewards = states.map { $0 == count - 1 ? 0 : Float(1) }
        return Self.trajectory(states, rewards: rewards, end: start + length < count ? values[start + length] : nil)
      }
      _ = learner.learn(trajectories)
    }
    for (state, value) in Self.values(&learner, states: count).enumerated() {
      #expect(abs(value - Float(count - 1 - state)) < 0.05, "state \(state): \(value)")
    }
  }

  /// The random walk of Sutton & Barto 2018, example 6.2: five states, and one point at the right end. V is k/6.
  @Test func randomWalk() throws {
    let specification = try Self.specification(states: 5, hidden: [8])
    let settings = DenseLearning(batch: 32, returns: LambdaReturn(lambda: 0.5, steps: nil))
    var learner = try DenseLearner(
      DenseNetwork(specification, DenseInitialization(seed: 2)), Adam(specification, stepSize: 0.005),
      encoder: OneHot(states: 5), settings: settings, choices: 5)
    var random: UInt64 = 3
    for round in 0..<3000 {
      learner.optimizer.stepSize = round < 1500 ? 0.005 : 0.0005
      let walks = (0..<8).map { _ in
        var (place, states, rewards) = (2, [Int](), [Float]())
        while (0..<5).contains(place) {
          states.append(place)
          random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          place += random >> 40 & 1 == 1 ? 1 : -1
          rewards.append(place == 5 ? 1 : 0)
        }
        return Self.trajectory(states, rewards: rewards)
      }
      _ = learner.learn(walks)
    }
    for (state, value) in Self.values(&learner, states: 5).enumerated() {
      #expect(abs(value - Float(state + 1) / 6) < 0.04, "state \(state): \(value)")
    }
  }

  /// One step of gradient descent on a linear network, computed by hand: targets by the forward view, G = V + the sum
  /// of lambda^k delta_k, for an episode that ended and for one that was cut. The trajectories are of different
  /// lengths, and all of both fits into the step.
  @Test(arguments: [0, 0.5, 1] as [Float])
  func oneStepIsTheEquation(lambda: Float) throws {
    let count = 6
    let specification = try Self.specification(states: count, hidden: [])
    let settings = DenseLearning(batch: 8, returns: LambdaReturn(lambda: lambda, steps: nil), unit: 2)
    let (stepSize, scale) = (0.05, 2.0)
    var learner = try DenseLearner(
      DenseNetwork(specification, DenseInitialization(seed: 5, outputScale: 1)),
      GradientDescent(specification, stepSize: Float(stepSize)),
      encoder: OneHot(states: count), settings: settings, choices: count)
    let before = Self.values(&learner, states: count).map { Double($0) }
    let parameters = (0..<specification.parameterCount).map { Double(learner.network.parameters[$0]) }
    let episodes: [(states: [Int], rewards: [Double], end: Double?)] = [
      ([0, 1, 2, 3], [1, 2, 3, 0], nil), ([4, 5, 4], [7, 0, 5], 6),
    ]
    let errors = episodes.map { episode in
      let following = episode.states.dropFirst().map { before[$0] } + [episode.end ?? 0]
      let deltas = episode.states.indices.map { episode.rewards[$0] + following[$0] - before[episode.states[$0]] }
      return episode.states.indices.map { first in
        (first..<deltas.count).reduce(0.0) { $0 + pow(Double(lambda), $1 - first) * deltas[$1] }
      }
    }
    let total = learner.learn(
      episodes.map { Self.trajectory($0.states, rewards: $0.rewards.map { Float($0) }, end: $0.end.map { Float($0) }) })
    let expectedTotal = errors.joined().reduce(0) { $0 + abs($1) }
    #expect(abs(total - expectedTotal) < 1e-4)
    // V = emb . a + b + linear, in units. The step is -stepSize dL/dw with L the sum of error^2 / 2 / 8: 7 states, but
    // N = 8.
    var change = [Double](repeating: 0, count: parameters.count)
    for (episode, errors) in zip(episodes, errors) {
      for (state, error) in zip(episode.states, errors) {
        let step = stepSize * error / scale / 8
        let output = count * 8
        for column in 0..<7 {
          change[state * 8 + column] += step * parameters[output + column]
          change[output + column] += step * parameters[state * 8 + column]
        }
        change[state * 8 + 7] += step
        change[parameters.count - 1] += step
      }
    }
    for index in parameters.indices {
      let found = Double(learner.network.parameters[index])
      #expect(abs(found - parameters[index] - change[index]) < 1e-5, "parameter \(index)")
    }
  }

  private func pow(_ base: Double, _ exponent: Int) -> Double { (0..<exponent).reduce(1) { power, _ in power * base } }

  /// While more may come, only whole steps are made; the remaining states are learned with the next trajectories.
  @Test func stepsAreWholeUntilTheEnd() throws {
    let specification = try Self.specification(states: 4, hidden: [8])
    let settings = DenseLearning(batch: 8, returns: LambdaReturn(lambda: 0.5, steps: nil))
    var learner = try DenseLearner(
      DenseNetwork(specification, DenseInitialization(seed: 1)), Adam(specification),
      encoder: OneHot(states: 4), settings: settings, choices: 4)
    var spare: [Trajectory<Int>] = []
    // The first two trajectories have 10 and 6 states: 4 and 4, then 4 and 2; 2 are left.
    var waiting = [10, 6].map { Self.trajectory((0..<$0).map { $0 % 4 }, rewards: [Float](repeating: 1, count: $0)) }
    _ = learner.learn(&waiting, spare: &spare, all: false)
    #expect(learner.optimizer.steps == 1 && waiting.isEmpty && spare.isEmpty)
    _ = learner.learn(&waiting, spare: &spare, all: false)
    #expect(learner.optimizer.steps == 1)
    // The third one has 9 states: 4, 2 and 2 of it; then 2 and 4, which is not a whole step.
    waiting = [Self.trajectory((0..<9).map { $0 % 4 }, rewards: [Float](repeating: 1, count: 9))]
    _ = learner.learn(&waiting, spare: &spare, all: false)
    #expect(learner.optimizer.steps == 2 && waiting.isEmpty && spare.map(\.count) == [0])
    _ = learner.learn(&waiting, spare: &spare, all: true)
    #expect(learner.optimizer.steps == 4 && spare.map(\.count) == [0, 0, 0])
  }

  /// Trajectories that begin later are learned as they would be alone: values come from the previous step.
  @Test func turnsDoNotMix() throws {
    let specification = try Self.specification(states: 12, hidden: [])
    func weights(_ groups: [[[Int]]]) throws -> [Float] {
      let settings = DenseLearning(batch: 6, returns: LambdaReturn(lambda: 0.7, steps: nil))
      var learner = try DenseLearner(
        DenseNetwork(specification, DenseInitialization(seed: 1, embeddingScale: 0, outputScale: 0)),
        GradientDescent(specification, stepSize: 0.01), encoder: OneHot(states: 12), settings: settings, choices: 12)
      var spare: [Trajectory<Int>] = []
      for (number, group) in groups.enumerated() {
        var waiting = group.map { Self.trajectory($0, rewards: $0.map { Float($0 + 1) }) }
        _ = learner.learn(&waiting, spare: &spare, all: number == groups.count - 1)
      }
      return (0..<12).map { learner.network.parameters[$0 * 8 + 7] }
    }
    // The linear weight of each state. Different states meet in the bias of the output alone, which is small here.
    let (long, short) = ([0, 1, 2, 3, 4, 5, 6], [8, 9, 10])
    let together = try weights([[long], [short]])
    let alone = try weights([[long]])
    let other = try weights([[short]])
    for state in long { #expect(alone[state] > 0 && abs(together[state] / alone[state] - 1) < 0.05, "\(state)") }
    for state in short { #expect(other[state] > 0 && abs(together[state] / other[state] - 1) < 0.05, "\(state)") }
  }

  /// Trajectories that do not fit into one step are learned in several, each state once.
  @Test func everyStateIsLearnedOnce() throws {
    let specification = try Self.specification(states: 4, hidden: [8])
    for (lengths, batch, steps) in [([5, 1, 3], 4, 3), ([9], 4, 3), ([1, 1, 1, 1, 1], 4, 2), ([], 4, 0)] {
      let settings = DenseLearning(batch: batch, returns: LambdaReturn(lambda: 0.5, steps: nil))
      var learner = try DenseLearner(
        DenseNetwork(specification, DenseInitialization(seed: 1)), Adam(specification),
        encoder: OneHot(states: 4), settings: settings, choices: 4)
      let trajectories = lengths.map { length in
        Self.trajectory((0..<length).map { $0 % 4 }, rewards: [Float](repeating: 1, count: length))
      }
      _ = learner.learn(trajectories)
      #expect(learner.optimizer.steps == steps, "\(lengths)")
    }
  }
}
