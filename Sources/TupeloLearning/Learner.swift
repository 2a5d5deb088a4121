public import TupeloTables

/// Learns what states are worth from the episodes that it is told about.
///
/// A learner sees features, rewards and parameters, never a board. Self-play asks it for values, tells it of each
/// choice and of the end of each episode; when it learns from them is its own matter. Several episodes may be under way
/// at once.
///
/// Each thread has a learner of its own; their parameters are shared.
public protocol Learner: ~Copyable, Sendable {
  associatedtype Encoder: FeatureEncoder
  /// What is kept of an episode under way.
  associatedtype Episode: Sendable

  /// How states become features, here and in self-play.
  var encoder: Encoder { get set }

  /// For how many positions of an episode, the present one among them, the features of all choices must stay where they
  /// are.
  var window: Int { get }

  /// Slots behind those of the episodes that the learner needs for itself.
  var scratchSlots: Int { get }

  func makeEpisode() -> Episode

  /// Begins a new episode in the place of an old one.
  mutating func begin(_ episode: inout Episode)

  /// Asks for the memory that the value of the state in a slot takes.
  func prefetch(_ features: borrowing FeatureBuffer, slot: Int)

  /// Learns what is due before the next choice of an episode is made.
  ///
  /// - Parameter errors: the sum of absolute TD errors, in score points; what is learned adds its own
  mutating func settle(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double)

  /// The value of the state in a slot, in score points, for a choice.
  mutating func value(_ features: inout FeatureBuffer, slot: Int) -> Float

  /// Takes in a choice that has been made.
  mutating func append(
    _ step: LearningStep<Encoder.State>, to episode: inout Episode, _ features: inout FeatureBuffer,
    errors: inout Double)

  /// Learns what is left of an episode that is over.
  mutating func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double)

  /// Changes the step size.
  ///
  /// - Parameter isWarmUp: whether all weights take the same step, whatever the rule
  mutating func setStepSize(_ alpha: Float, isWarmUp: Bool)
}

/// A choice of an episode, as a learner is told of it.
public struct LearningStep<State: Sendable>: Sendable {
  /// The state that it led to.
  public var state: State
  /// Where the state's features are.
  public var slot: Int
  /// V(state) as it was when the choice was made, in score points.
  public var value: Float
  /// Score points.
  public var reward: Float
  /// Reward plus value of the best choice, where another one was made to explore; `nil` where the best one was made.
  public var foregone: Float?

  @inlinable @inline(__always)
  public init(state: State, slot: Int, value: Float, reward: Float, foregone: Float?) {
    self.state = state
    self.slot = slot
    self.value = value
    self.reward = reward
    self.foregone = foregone
  }
}
