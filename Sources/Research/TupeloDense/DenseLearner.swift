internal import TupeloBase
public import TupeloLearning
public import TupeloTables

/// Learns a dense network by TD(0) or backward TD(lambda), from trajectories of games that are played in lockstep.
///
/// Several trajectories are in progress at a time, each from its last state to its first. A step takes the last states
/// of each trajectory that are not learned yet, up to N in all (`DenseLearning.batch`). When a trajectory is finished,
/// a waiting one takes its place. For each state, backward:
///
///     G_t = r + (1 - lambda) V(s_t+1) + lambda G_t+1             (`LambdaReturn`)
///     L = 1/N sum of (V(s) - G)^2 / 2                            (N, also when fewer states are left)
///     w <- optimizer(w, dL/dw)                                   (semi-gradient: G is a constant)
///
/// V(s) of a step is computed by one forward pass with the weights before the step, so all of it is matrix products. A
/// value V(s_t+1) comes from the step in which its state was learned. So the result at the end of a game reaches all
/// earlier states, as with `BackwardLearner`. After the end of an episode both G and V are 0. If a trajectory was cut,
/// both are V of the next state (truncated lambda-return; Sutton & Barto 2018, 12.3). Trajectories of one state give
/// TD(0).
///
/// Because trajectories begin and end at different times, a step has states from all phases of a game. If all states of
/// a step were equally far from the end of their games, successive steps would pull the shared layers in different
/// directions.
///
/// Steps of fewer than N states occur only when all trajectories must be finished. A mean over only these states would
/// give states of long episodes a larger weight than equal states of short episodes, and would bias values toward long
/// episodes.
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
  /// The trajectories in progress, in the order in which they began.
  @usableFromInline var turns: [Turn] = []

  /// The progress of learning in a trajectory.
  @usableFromInline
  struct Turn: Sendable {
    @usableFromInline var trajectory: Trajectory<Encoder.State>
    /// The states that are not learned yet.
    @usableFromInline var left: Int
    /// The states in the present step.
    @usableFromInline var count = 0
    /// V and G of the state that was learned last, in units.
    @usableFromInline var value: Float
    @usableFromInline var target: Float

    @usableFromInline
    init(_ trajectory: Trajectory<Encoder.State>, unit: Float) {
      (self.trajectory, left) = (trajectory, trajectory.count)
      value = trajectory.endValue / unit
      target = value
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

  /// Writes the features of a state for a choice, as number `number` of the states that are valued next.
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

  /// Learns the trajectories that are in progress or wait, while there are N states for a step.
  ///
  /// - Parameters:
  ///   - waiting: trajectories of at least one state, the oldest first; trajectories that begin are removed
  ///   - spare: gets the trajectories that are learned, empty
  ///   - all: whether to learn all trajectories to the end, with fewer states in the last steps
  /// - Returns: the sum of the absolute TD errors G - V, in score points
  /// - Complexity: one forward and one backward pass, and one step, for every N states
  @inlinable
  public mutating func learn(
    _ waiting: inout [Trajectory<Encoder.State>], spare: inout [Trajectory<Encoder.State>], all: Bool
  ) -> Double {
    var errors = 0.0
    while true {
      let rows = plan(&waiting)
      guard rows == settings.batch || all && rows > 0 else { return errors * Double(settings.unit) }
      writeStates()
      lessons.forward(network, count: rows)
      computeTargets()
      errors += step(count: rows)
      removeFinished(into: &spare)
    }
  }

  /// Learns trajectories to their ends.
  ///
  /// - Returns: the sum of the absolute TD errors G - V, in score points
  public mutating func learn(_ trajectories: [Trajectory<Encoder.State>]) -> Double {
    var (waiting, spare) = (trajectories.filter { $0.count > 0 }, [Trajectory<Encoder.State>]())
    return learn(&waiting, spare: &spare, all: true)
  }

  /// Decides how many states of each turn are in the next step. Waiting trajectories begin if the step has room.
  ///
  /// - Returns: the number of states
  @inlinable
  mutating func plan(_ waiting: inout [Trajectory<Encoder.State>]) -> Int {
    let (batch, share) = (settings.batch, settings.statesInARow)
    var rows = 0
    for turn in turns.indices {
      turns[turn].count = min(share, turns[turn].left, batch - rows)
      rows += turns[turn].count
    }
    var begun = 0
    while rows < batch, begun < waiting.count {
      var turn = Turn(waiting[begun], unit: settings.unit)
      turn.count = min(share, turn.left, batch - rows)
      rows += turn.count
      turns.append(turn)
      begun += 1
    }
    if begun > 0 { waiting.removeFirst(begun) }
    return rows
  }

  /// Writes the features of the states of a step, trajectory by trajectory, each from its end.
  @inlinable
  mutating func writeStates() {
    var row = 0
    for turn in turns.indices {
      let left = turns[turn].left
      for index in 0..<turns[turn].count {
        encoder.write(turns[turn].trajectory.states[left &- 1 &- index], into: &lessons.features, slot: row)
        row &+= 1
      }
    }
  }

  /// Computes G of each state of a step, and moves the turns on.
  @inlinable
  mutating func computeTargets() {
    let (lambda, scale) = (settings.returns, 1 / settings.unit)
    var row = 0
    for turn in turns.indices {
      var (left, value, target) = (turns[turn].left, turns[turn].value, turns[turn].target)
      for _ in 0..<turns[turn].count {
        left &-= 1
        let reward = turns[turn].trajectory.rewards[left] * scale
        target = lambda.value(reward: reward, value: value, next: target)
        value = lessons.workspace.values[row]
        targets[row] = target
        row &+= 1
      }
      (turns[turn].left, turns[turn].value, turns[turn].target) = (left, value, target)
    }
  }

  /// Removes the turns that are over, and empties their trajectories.
  @inlinable
  mutating func removeFinished(into spare: inout [Trajectory<Encoder.State>]) {
    for turn in turns.indices where turns[turn].left == 0 {
      var trajectory = Trajectory<Encoder.State>()
      swap(&trajectory, &turns[turn].trajectory)
      trajectory.removeAll()
      spare.append(trajectory)
    }
    turns.removeAll { $0.left == 0 }
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

/// The settings for the steps of a `DenseLearner`.
public struct DenseLearning: Hashable, Sendable {
  /// N: the largest number of states of a step.
  public var batch: Int
  /// Lambda, and the length of the trajectories that it is computed over.
  public var returns: LambdaReturn
  /// The largest norm of a step's gradient; 0 for no limit.
  public var clip: Double
  /// Score points per unit of the network's output.
  public var unit: Float

  public static let batches = 1...1024

  /// - Precondition: `batch` is in `batches`, `clip` at least 0, `unit` above 0.
  public init(batch: Int, returns: LambdaReturn, clip: Double = 0, unit: Float = 1) {
    precondition(Self.batches.contains(batch) && clip >= 0 && unit > 0)
    (self.batch, self.returns, self.clip, self.unit) = (batch, returns, clip, unit)
  }

  /// The number of consecutive states of a trajectory in a step. Consecutive states are similar. Too many of them in a
  /// step would act like one state with a large weight.
  @usableFromInline var statesInARow: Int { min(returns.steps ?? 4, 4, batch) }
}
