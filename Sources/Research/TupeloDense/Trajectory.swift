/// A part of one episode that a `DenseLearner` learns from: afterstates in the order of play, and the reward after each
/// afterstate.
public struct Trajectory<State: Sendable>: Sendable {
  @usableFromInline var states: [State] = []
  /// The reward of the choice after each state, in score points; 0 after the last state of an episode.
  @usableFromInline var rewards: [Float] = []
  /// V of the state after the last one, in score points; 0 if the episode ended.
  @usableFromInline var endValue: Float = 0

  public init() {}

  @inlinable public var count: Int { states.count }

  /// Adds the state that a choice led to.
  @inlinable @inline(__always)
  public mutating func append(_ state: State) {
    states.append(state)
    rewards.append(0)
  }

  /// Sets the reward after the last state: the reward of the next choice, in score points.
  @inlinable @inline(__always)
  public mutating func follow(reward: Float) {
    if !rewards.isEmpty { rewards[rewards.count - 1] = reward }
  }

  /// Ends the trajectory before the episode is over.
  ///
  /// - Parameter value: V of the state that the next choice led to, in score points
  @inlinable @inline(__always)
  public mutating func cut(before value: Float) { endValue = value }

  /// Removes all states and keeps the memory.
  @inlinable
  public mutating func removeAll() {
    states.removeAll(keepingCapacity: true)
    rewards.removeAll(keepingCapacity: true)
    endValue = 0
  }
}
