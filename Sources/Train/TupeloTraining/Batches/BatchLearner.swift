public import TupeloLearning
public import TupeloTables

/// Learns by TD(0) in batches: N states are learned together; see `BatchUpdate` for the equations.
///
/// Weights do not change until a batch is full. An incomplete batch is learned at the end of the episode, so nothing is
/// left to learn between episodes.
public struct BatchLearner<Rule: StepSizeRule, Encoder: FeatureEncoder>: ~Copyable, TableLearner {
  public var encoder: Encoder
  @usableFromInline var batch: BatchUpdate<Rule>

  @inlinable public var table: ValueTable<Rule> {
    get { batch.table }
    set { batch.table = newValue }
  }

  public struct Episode: Sendable {
    /// The slot of the last state; -1 before the first choice.
    @usableFromInline var slot = -1

    @usableFromInline init() {}
  }

  /// - Parameters:
  ///   - table: the shared weights and the rule that changes them
  ///   - encoder: turns states into features
  ///   - size: N, the number of states in a full batch; at least 1
  public init(_ table: ValueTable<Rule>, encoder: Encoder, size: Int) {
    self.encoder = encoder
    batch = BatchUpdate(table, layout: encoder.layout, capacity: size)
  }

  /// Two positions: the position with the present choices, and the last state.
  @inlinable public var window: Int { 2 }

  @inlinable public func makeEpisode() -> Episode { Episode() }
  @inlinable public mutating func begin(_ episode: inout Episode) { episode = Episode() }

  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) { table.prefetch(features, slot: slot) }

  @inlinable @inline(__always)
  public func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    table.promotedValue(features, slot: slot)
  }

  @inlinable @inline(__always)
  public mutating func append(
    _ step: LearningStep<Encoder.State>, to episode: inout Episode, _ features: inout FeatureBuffer,
    errors: inout Double
  ) {
    if episode.slot >= 0 {
      errors += batch.append(features, slot: episode.slot, target: step.reward + step.value)
    }
    episode.slot = step.slot
  }

  @inlinable @inline(__always)
  public mutating func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    if episode.slot >= 0 { errors += batch.append(features, slot: episode.slot, target: 0) }
    errors += batch.learn()
  }
}
