public import TupeloTables

/// Learns by delayed TD(lambda): a state is updated n choices after it was reached, toward its n-step lambda-return
/// (Jaskowski 2018, section III-C).
///
/// The target is V(s_t) + sum over k < n of lambda^k delta_t+k; see `LambdaReturn`. `PendingStates` holds the states
/// that wait.
public struct DelayedLearner<Rule: StepSizeRule, Encoder: FeatureEncoder>: TableLearner {
  public var encoder: Encoder
  public var table: ValueTable<Rule>
  @usableFromInline let returns: LambdaReturn
  @usableFromInline let steps: Int

  public struct Episode: Sendable {
    @usableFromInline var pending: PendingStates
    /// The state whose target is known.
    @usableFromInline var due: Lesson?

    @usableFromInline init(lambda: Float, steps: Int) { pending = PendingStates(lambda: lambda, steps: steps) }
  }

  /// - Parameters:
  ///   - table: the shared weights and the rule that changes them
  ///   - encoder: turns states into features
  ///   - returns: lambda and n, the number of steps of the targets, which must not be `nil`
  public init(_ table: ValueTable<Rule>, encoder: Encoder, returns: LambdaReturn) {
    guard let steps = returns.steps else { preconditionFailure("a delayed learner needs a number of steps") }
    (self.table, self.encoder, self.returns, self.steps) = (table, encoder, returns, steps)
  }

  /// The number of positions: the position with the present choices, the n states that wait, and the state that is due.
  @inlinable public var window: Int { steps + 2 }

  @inlinable public func makeEpisode() -> Episode { Episode(lambda: returns.lambda, steps: steps) }

  @inlinable
  public mutating func begin(_ episode: inout Episode) {
    episode.pending.removeAll()
    episode.due = nil
  }

  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) { table.prefetch(features, slot: slot) }

  @inlinable @inline(__always)
  public func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    table.promotedValue(features, slot: slot)
  }

  @inlinable @inline(__always)
  public func settle(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    guard let due = episode.due else { return }
    errors += Double(abs(table.learn(due, features)))
  }

  @inlinable @inline(__always)
  public func append(
    _ step: LearningStep<Encoder.State>, to episode: inout Episode, _ features: inout FeatureBuffer,
    errors: inout Double
  ) {
    episode.due = episode.pending.append(slot: step.slot, value: step.value, reward: step.reward)
    if let due = episode.due { table.prefetchSums(features, slot: due.slot) }
  }

  @inlinable @inline(__always)
  public func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    while let lesson = episode.pending.removeFirst() { errors += Double(abs(table.learn(lesson, features))) }
  }
}
