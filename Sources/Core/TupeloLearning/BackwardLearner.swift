public import TupeloTables

/// Learns by backward TD(lambda): when an episode is over, its states are updated from the last to the first. So the
/// result at the end reaches the whole trajectory.
///
/// The target is G_t = r + (1 - lambda) V(s') + lambda G_t+1 (`LambdaReturn`), with V(s') after the update of s'. So
/// for t = T ... 0:
///
///     G <- r + (1 - lambda) v + lambda G
///     delta <- G - V(s_t)
///     w_i <- w_i + step_i delta
///     v <- V(s_t)
///
/// `step_i` comes from the step-size rule. With `TemporalCoherence`:
///
///     step_i = alpha / m |E_i| / A_i
///     E_i <- E_i + delta
///     A_i <- A_i + |delta|
public struct BackwardLearner<Rule: StepSizeRule, Encoder: FeatureEncoder>: TableLearner {
  public var encoder: Encoder
  public var table: ValueTable<Rule>
  @usableFromInline let returns: LambdaReturn

  public struct Episode: Sendable {
    @usableFromInline var trajectory: [Step] = []

    @usableFromInline init() {}
  }

  @usableFromInline
  struct Step: Sendable {
    @usableFromInline var state: Encoder.State
    @usableFromInline var reward: Float

    @usableFromInline
    init(state: Encoder.State, reward: Float) { (self.state, self.reward) = (state, reward) }
  }

  /// - Parameters:
  ///   - table: the shared weights and the rule that changes them
  ///   - encoder: turns states into features
  ///   - returns: gives lambda; its number of steps is not used
  public init(_ table: ValueTable<Rule>, encoder: Encoder, returns: LambdaReturn) {
    (self.table, self.encoder, self.returns) = (table, encoder, returns)
  }

  /// The number of states by which prefetches run ahead of learning.
  @inlinable static var ahead: Int { 3 }

  @inlinable public var window: Int { 1 }
  @inlinable public var scratchSlots: Int { Self.ahead + 1 }

  @inlinable public func makeEpisode() -> Episode { Episode() }

  @inlinable
  public mutating func begin(_ episode: inout Episode) { episode.trajectory.removeAll(keepingCapacity: true) }

  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) { table.prefetch(features, slot: slot) }

  @inlinable @inline(__always)
  public func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    table.promotedValue(features, slot: slot)
  }

  @inlinable @inline(__always)
  public func append(
    _ step: LearningStep<Encoder.State>, to episode: inout Episode, _ features: inout FeatureBuffer,
    errors: inout Double
  ) {
    episode.trajectory.append(Step(state: step.state, reward: step.reward))
  }

  @inlinable @inline(__always)
  public func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    let trajectory = episode.trajectory
    var absoluteErrors = 0.0
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    for index in trajectory.indices.suffix(Self.ahead) { prepare(trajectory, index, &features) }
    for index in trajectory.indices.reversed() {
      let slot = scratchSlot(index, features)
      prepare(trajectory, index - Self.ahead, &features)
      target = returns.value(reward: reward, value: value, next: target)
      let isFrozen = table.isFrozen(features, slot: slot)
      value = isFrozen ? table.promotedValue(features, slot: slot) : table.value(features, slot: slot)
      let error = target - value
      if !isFrozen { value = table.shift(features, slot: slot, error: error) }
      absoluteErrors += Double(abs(error))
      reward = trajectory[index].reward
    }
    errors += absoluteErrors
  }

  @inlinable @inline(__always)
  func scratchSlot(_ index: Int, _ features: borrowing FeatureBuffer) -> Int {
    features.slots - scratchSlots + index % scratchSlots
  }

  /// Computes the features of a state of the trajectory, if there is one at `index`, and prefetches its weights and
  /// sums.
  @inlinable @inline(__always)
  func prepare(_ trajectory: [Step], _ index: Int, _ features: inout FeatureBuffer) {
    guard index >= 0 else { return }
    let slot = scratchSlot(index, features)
    encoder.write(trajectory[index].state, into: &features, slot: slot)
    table.prefetch(features, slot: slot)
    table.weights.prefetchSums(features, slot: slot)
  }
}
