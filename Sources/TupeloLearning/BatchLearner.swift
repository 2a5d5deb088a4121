public import TupeloTables

/// TD(0) in batches: states are learned from together, N at a time; see `BatchUpdate` for the equations. The weights
/// stay as they are until a batch is full. No batch goes on from one episode to the next, so that between episodes
/// everything has been learned.
public struct BatchLearner<Rule: StepSizeRule, Encoder: FeatureEncoder>: ~Copyable, TableLearner {
  public var encoder: Encoder
  @usableFromInline var batch: BatchUpdate<Rule>

  @inlinable public var table: TemporalDifferenceLearner<Rule> {
    get { batch.learner }
    set { batch.learner = newValue }
  }

  public struct Episode: Sendable {
    /// The slot of the last state; -1 before the first choice.
    @usableFromInline var slot = -1

    @usableFromInline init() {}
  }

  /// - Parameter size: N, at least 1
  public init(_ table: TemporalDifferenceLearner<Rule>, encoder: Encoder, size: Int) {
    self.encoder = encoder
    batch = BatchUpdate(table, layout: encoder.layout, capacity: size)
  }

  /// The choices of now, and the last state.
  public var window: Int { 2 }

  public func makeEpisode() -> Episode { Episode() }
  public mutating func begin(_ episode: inout Episode) { episode = Episode() }

  @inlinable @inline(__always)
  public mutating func settle(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {}

  @inlinable @inline(__always)
  public mutating func append(
    _ step: LearningStep<Encoder.State>, to episode: inout Episode, _ features: inout FeatureBuffer,
    errors: inout Double
  ) {
    if episode.slot >= 0 {
      errors += learn(features, slot: episode.slot, target: step.foregone ?? (step.reward + step.value))
    }
    episode.slot = step.slot
  }

  @inlinable @inline(__always)
  public mutating func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    if episode.slot >= 0 { errors += learn(features, slot: episode.slot, target: 0) }
    errors += batch.learn()
  }

  /// Gathers a state, if its stage learns at all.
  ///
  /// - Returns: the sum of the absolute TD errors of what was learned, in score points.
  @inlinable @inline(__always)
  mutating func learn(_ features: borrowing FeatureBuffer, slot: Int, target: Float) -> Double {
    batch.learner.isFrozen(features, slot: slot) ? 0 : batch.append(features, slot: slot, target: target)
  }
}
