public import TupeloTables

/// Learns by TD(0): V(s) moves toward r + V(s'), where s' is the next state and r is the reward between them.
///
/// After the last choice of an episode V(s) moves toward 0 (Szubert & Jaskowski 2014, algorithm "TD-afterstate"; Sutton
/// & Barto 2018, eq. 6.2).
///
/// An update waits until the memory of the next choices has been prefetched and interleaved episodes have advanced. By
/// then the memory of the update has arrived. The update still happens before the values of its episode's next choices
/// are read. So within an episode values and updates have the textbook order.
public struct OneStepLearner<Rule: StepSizeRule, Encoder: FeatureEncoder>: TableLearner {
  public var encoder: Encoder
  public var table: ValueTable<Rule>

  public struct Episode: Sendable {
    /// The slot of the last state; -1 before the first choice.
    @usableFromInline var slot = -1
    /// V(s) of the last state.
    @usableFromInline var value: Float = 0
    /// The state before the last one, whose target is known.
    @usableFromInline var due: Lesson?

    @usableFromInline init() {}
  }

  public init(_ table: ValueTable<Rule>, encoder: Encoder) {
    (self.table, self.encoder) = (table, encoder)
  }

  /// Three positions: the position with the present choices, the last state, and the state that is due.
  @inlinable public var window: Int { 3 }

  @inlinable public func makeEpisode() -> Episode { Episode() }
  @inlinable public mutating func begin(_ episode: inout Episode) { episode = Episode() }

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
    episode.due = nil
    if episode.slot >= 0 {
      episode.due = Lesson(slot: episode.slot, value: episode.value, target: step.reward + step.value)
      table.prefetchSums(features, slot: episode.slot)
    }
    (episode.slot, episode.value) = (step.slot, step.value)
  }

  @inlinable @inline(__always)
  public func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    guard episode.slot >= 0 else { return }
    errors += Double(abs(table.learn(Lesson(slot: episode.slot, value: episode.value, target: 0), features)))
  }
}
