public import TupeloTables

/// TD(0): V(s) moves toward r + V(s'), where s' is the state that follows s and r the reward between them; toward 0
/// after the last choice of an episode (Szubert & Jaskowski 2014, algorithm "TD-afterstate"; Sutton & Barto, eq. 6.2).
///
/// The update of a state is put off until the memory of the next position's choices has been asked for and other
/// episodes have had their turns, so that its own is there. It still happens before the values of its episode's next
/// choices are read, so within an episode the order of values and updates is the textbook one.
public struct OneStepLearner<Rule: StepSizeRule, Encoder: FeatureEncoder>: TableLearner {
  public var encoder: Encoder
  public var table: TemporalDifferenceLearner<Rule>

  public struct Episode: Sendable {
    /// The slot of the last state; -1 before the first choice.
    @usableFromInline var slot = -1
    /// V(s) of the last state.
    @usableFromInline var value: Float = 0
    /// The state before it, whose target is known.
    @usableFromInline var due: Lesson?

    @usableFromInline init() {}
  }

  public init(_ table: TemporalDifferenceLearner<Rule>, encoder: Encoder) {
    (self.table, self.encoder) = (table, encoder)
  }

  /// The choices of now, the last state, and the state that is due.
  public var window: Int { 3 }

  public func makeEpisode() -> Episode { Episode() }
  public mutating func begin(_ episode: inout Episode) { episode = Episode() }

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
      let target = step.foregone ?? (step.reward + step.value)
      episode.due = Lesson(slot: episode.slot, value: episode.value, target: target)
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
