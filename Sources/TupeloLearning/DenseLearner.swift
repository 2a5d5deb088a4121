public import TupeloDense
public import TupeloTables

/// Learns a dense network by TD(0) or backward TD(lambda), from trajectories of games that are played in lockstep.
///
/// The trajectories are learned together, all from their last state to their first. Each step takes the last states of
/// every trajectory that are not learned yet, up to N in all (`DenseLearning.batch`). For each of them, backward:
///
///     G_t = r + (1 - lambda) V(s_t+1) + lambda G_t+1             (`LambdaReturn`)
///     L = 1/N sum of (V(s) - G)^2 / 2                            (N, also when fewer states are left)
///     w <- optimizer(w, dL/dw)                                   (semi-gradient: G is a constant)
///
/// V(s) of a step is computed by one forward pass with the weights before the step, so all of it is matrix products. A
/// value V(s_t+1) is the one of the step that its state learned in. So what the end of a game taught has reached a
/// state when its turn comes, as with `BackwardLearner`. Both G and V are 0 after the end of an episode, and V of the
/// next state where a trajectory was cut (truncated lambda-return; Sutton & Barto, section 12.3). Trajectories of one
/// state are TD(0).
///
/// The last steps may have fewer states than N, when few trajectories are as long. A mean over these alone would give
/// states of long episodes a larger weight than equal states of short ones, and pull their value toward long episodes.
///
/// The network works in units of `DenseLearning.unit` score points. Everything outside is in score points.
public struct DenseLearner<Encoder: FeatureEncoder, O: Optimizer & ~Copyable>: ~Copyable, Sendable {
  public let encoder: Encoder
  public let settings: DenseLearning
  public var network: DenseNetwork
  public var optimizer: O
  /// The states to choose among.
  @usableFromInline var choices: DenseBatchMemory
  /// The states of a step.
  @usableFromInline var lessons: DenseBatchMemory
  @usableFromInline var gradient: DenseGradient
  @usableFromInline var targets: [Float]
  @usableFromInline var turns: [Turn] = []

  /// How far learning is in a trajectory.
  @usableFromInline
  struct Turn: Sendable {
    @usableFromInline var trajectory: Int
    /// The states that are not learned yet.
    @usableFromInline var left: Int
    /// The states in the present step.
    @usableFromInline var count = 0
    /// V and G of the state that was learned last, in units.
    @usableFromInline var value: Float
    @usableFromInline var target: Float

    @usableFromInline
    init(trajectory: Int, left: Int, value: Float) {
      (self.trajectory, self.left, self.value, self.target) = (trajectory, left, value, value)
    }
  }

  /// - Parameters:
  ///   - network: its embedding takes the features of `encoder`
  ///   - optimizer: made for the network
  ///   - encoder: turns states into features
  ///   - settings: batch, lambda, clip and unit
  ///   - choices: the largest number of states to value at once
  /// - Throws: `DenseError.outOfMemory` or `refused`.
  public init(
    _ network: consuming DenseNetwork, _ optimizer: consuming O, encoder: Encoder, settings: DenseLearning,
    choices: Int
  ) throws(DenseError) {
    let specification = network.specification
    let gradient = try DenseGradient(specification, samples: settings.batch)
    let lessons = try DenseBatchMemory(specification, encoder.layout, capacity: settings.batch)
    self.choices = try DenseBatchMemory(specification, encoder.layout, capacity: choices)
    self.lessons = lessons
    self.gradient = gradient
    targets = [Float](repeating: 0, count: settings.batch)
    (self.encoder, self.settings) = (encoder, settings)
    self.network = network
    self.optimizer = optimizer
  }

  // MARK: Values

  /// Writes the features of a state to choose, as number `number` of those to be valued next.
  @inlinable @inline(__always)
  public mutating func write(_ state: Encoder.State, number: Int) {
    encoder.write(state, into: &choices.features, slot: number)
  }

  /// Values the first `count` states that have been written, by one forward pass.
  public mutating func evaluate(count: Int) { choices.forward(network, count: count) }

  /// V of a state of the last `evaluate`, in score points.
  @inlinable @inline(__always)
  public func value(number: Int) -> Float { choices.workspace.values[number] * settings.unit }

  // MARK: Learning

  /// Learns trajectories.
  ///
  /// - Returns: the sum of the absolute TD errors G - V, in score points
  /// - Complexity: one forward and one backward pass, and one step, for every N states
  @inlinable
  public mutating func learn(_ trajectories: borrowing [Trajectory<Encoder.State>]) -> Double {
    turns.removeAll(keepingCapacity: true)
    for number in trajectories.indices where trajectories[number].count > 0 {
      let trajectory = trajectories[number]
      turns.append(
        Turn(trajectory: number, left: trajectory.count, value: trajectory.endValue / settings.unit))
    }
    var errors = 0.0
    while !turns.isEmpty {
      for first in stride(from: 0, to: turns.count, by: settings.batch) {
        let group = first..<min(first + settings.batch, turns.count)
        let rows = write(trajectories, turns: group)
        lessons.forward(network, count: rows)
        computeTargets(trajectories, turns: group)
        errors += step(count: rows)
      }
      turns.removeAll { $0.left == 0 }
    }
    return errors * Double(settings.unit)
  }

  /// Writes the features of the states of a step, trajectory by trajectory, each from its end.
  @inlinable
  mutating func write(_ trajectories: borrowing [Trajectory<Encoder.State>], turns group: Range<Int>) -> Int {
    let share = settings.batch / group.count
    var row = 0
    for turn in group {
      let (number, left) = (turns[turn].trajectory, turns[turn].left)
      let count = min(share, left)
      for index in 1...count {
        encoder.write(trajectories[number].states[left &- index], into: &lessons.features, slot: row)
        row &+= 1
      }
      turns[turn].count = count
    }
    return row
  }

  /// Computes G of each state of a step, and moves the trajectories' turns on.
  @inlinable
  mutating func computeTargets(_ trajectories: borrowing [Trajectory<Encoder.State>], turns group: Range<Int>) {
    let (lambda, scale) = (settings.returns, 1 / settings.unit)
    var row = 0
    for number in group {
      var turn = turns[number]
      for _ in 0..<turn.count {
        turn.left &-= 1
        let reward = trajectories[turn.trajectory].rewards[turn.left] * scale
        turn.target = lambda.value(reward: reward, value: turn.value, next: turn.target)
        turn.value = lessons.workspace.values[row]
        targets[row] = turn.target
        row &+= 1
      }
      turns[number] = turn
    }
  }

  /// Moves the weights by the batch in `lessons` toward `targets`.
  ///
  /// - Returns: the sum of |G - V|, in units
  @usableFromInline
  mutating func step(count: Int) -> Double {
    let targets = targets
    gradient.reset()
    let errors = lessons.backward(network, targets: targets.span, batch: settings.batch, into: &gradient)
    if settings.clip > 0 { gradient.clip(toNorm: settings.clip) }
    optimizer.step(&network, gradient)
    return errors
  }
}

/// Features and activations of a batch of states.
@usableFromInline
struct DenseBatchMemory: ~Copyable, Sendable {
  @usableFromInline var features: FeatureBuffer
  @usableFromInline var workspace: DenseWorkspace

  init(_ specification: DenseSpecification, _ layout: FeatureLayout, capacity: Int) throws(DenseError) {
    let workspace = try DenseWorkspace(specification, capacity: capacity)
    features = FeatureBuffer(layout, slots: capacity)
    self.workspace = workspace
  }

  /// Values the states of the first `count` slots.
  @usableFromInline
  mutating func forward(_ network: borrowing DenseNetwork, count: Int) {
    network.forward(features, slots: 0..<count, &workspace)
  }

  /// Adds the gradient of the sum of (V - target)^2 / 2 / `batch` over the states of the last forward pass.
  ///
  /// - Returns: the sum of |target - V|
  mutating func backward(
    _ network: borrowing DenseNetwork, targets: Span<Float>, batch: Int, into gradient: inout DenseGradient
  ) -> Double {
    let (count, share) = (workspace.count, 1 / Float(batch))
    var errors = 0.0
    for row in 0..<count {
      let error = workspace.values[row] - targets[row]
      workspace.outputGradients[row] = share * error
      errors += Double(abs(error))
    }
    network.backward(features, slots: 0..<count, &workspace, into: &gradient)
    return errors
  }
}
