public import TupeloTables

/// Learns the values of states from episodes.
///
/// A learner gets features, rewards and parameters, never a board. Self-play requests values from it, and reports each
/// choice and the end of each episode. The learner decides when it learns from them. Several episodes may be in
/// progress at once.
///
/// Each thread has its own learner; the parameters are shared.
public protocol Learner: ~Copyable, Sendable {
  associatedtype Encoder: FeatureEncoder
  /// The data that the learner keeps for an episode in progress.
  associatedtype Episode: Sendable

  /// Turns states into features, here and in self-play.
  var encoder: Encoder { get set }

  /// The number of positions of an episode, including the present one, whose choices' features must stay in their
  /// slots.
  var window: Int { get }

  /// The number of slots that the learner needs for itself, behind the slots of the episodes.
  var scratchSlots: Int { get }

  func makeEpisode() -> Episode

  /// Resets `episode` for a new episode.
  mutating func begin(_ episode: inout Episode)

  /// Prefetches the memory for the value of the state in a slot.
  func prefetch(_ features: borrowing FeatureBuffer, slot: Int)

  /// Applies the updates that are due before the next choice of an episode is made; by default there are none.
  ///
  /// - Parameters:
  ///   - episode: the episode in progress
  ///   - features: the buffer with the features of the episode's last states
  ///   - errors: a sum of absolute TD errors, in score points; the errors of the updates are added to it
  mutating func settle(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double)

  /// The value of the state in a slot, in score points, for a choice.
  func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float

  /// Adds a choice that has been made to an episode.
  mutating func append(
    _ step: LearningStep<Encoder.State>, to episode: inout Episode, _ features: inout FeatureBuffer,
    errors: inout Double)

  /// Learns the rest of an episode that is over.
  mutating func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double)

  /// Changes the step size.
  ///
  /// - Parameters:
  ///   - alpha: the new step size, above 0, at most 1
  ///   - isWarmUp: whether all weights take the same step, for every rule
  mutating func setStepSize(_ alpha: Float, isWarmUp: Bool)
}

extension Learner where Self: ~Copyable {
  /// By default no update is due before a choice.
  @inlinable @inline(__always)
  public mutating func settle(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {}
}

/// One choice of an episode, as self-play reports it to a learner.
public struct LearningStep<State: Sendable>: Sendable {
  /// The state that the choice led to.
  public var state: State
  /// The slot of the state's features.
  public var slot: Int
  /// V(state) at the time of the choice, in score points.
  public var value: Float
  /// The reward of the choice, in score points.
  public var reward: Float

  @inlinable @inline(__always)
  public init(state: State, slot: Int, value: Float, reward: Float) {
    self.state = state
    self.slot = slot
    self.value = value
    self.reward = reward
  }
}
