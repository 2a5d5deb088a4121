/// A state whose value is to move toward its target.
public struct Lesson: BitwiseCopyable, Sendable {
  /// Where its features are.
  public var slot: Int
  /// V(s) as move selection saw it, in score points.
  public var value: Float
  /// Score points.
  public var target: Float

  @inlinable @inline(__always)
  public init(slot: Int, value: Float, target: Float) {
    self.slot = slot
    self.value = value
    self.target = target
  }
}

/// The last n states of an episode, which wait for the rewards and values that make up their targets.
public struct PendingStates: Sendable {
  @usableFromInline let returns: LambdaReturn
  /// n
  public let capacity: Int
  /// A ring; `reward` is that of the move to the state after it.
  @usableFromInline var states: [(slot: Int, value: Float, reward: Float)]
  @usableFromInline var first = 0
  @usableFromInline var count = 0

  /// - Parameter returns: one that looks ahead to the end of the episode leaves nothing to wait here.
  public init(_ returns: LambdaReturn) {
    self.returns = returns
    capacity = returns.steps ?? 1
    states = Array(repeating: (0, 0, 0), count: capacity)
  }

  @inlinable @inline(__always)
  func position(_ age: Int) -> Int {
    let position = first &+ age
    return position >= capacity ? position &- capacity : position
  }

  /// Takes in the next state.
  ///
  /// - Parameters:
  ///   - slot: where its features are, which must stay there for n more states
  ///   - value: V(s)
  ///   - reward: of the move that led to it
  /// - Returns: the state n steps before it, whose target is now complete; `nil` when there is none.
  @inlinable @inline(__always)
  public mutating func append(slot: Int, value: Float, reward: Float) -> Lesson? {
    var due: Lesson?
    if count > 0 { states[position(count &- 1)].reward = reward }
    if count == capacity {
      due = lesson(valueAfter: value)
      first = position(1)
    } else {
      count &+= 1
    }
    states[position(count &- 1)] = (slot, value, 0)
    return due
  }

  /// Takes out the oldest state after the last move of an episode, when nothing more follows; `nil` when none is left.
  @inlinable
  public mutating func removeFirst() -> Lesson? {
    guard count > 0 else { return nil }
    let due = lesson(valueAfter: 0)
    first = position(1)
    count &-= 1
    return due
  }

  /// The oldest state with its target, the value after the newest one being known.
  @inlinable @inline(__always)
  func lesson(valueAfter: Float) -> Lesson {
    var target = valueAfter
    var value = valueAfter
    for age in stride(from: count &- 1, through: 0, by: -1) {
      let state = states[position(age)]
      target = returns.value(reward: state.reward, value: value, next: target)
      value = state.value
    }
    let oldest = states[first]
    return Lesson(slot: oldest.slot, value: oldest.value, target: target)
  }
}
