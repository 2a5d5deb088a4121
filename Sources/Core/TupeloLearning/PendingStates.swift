/// A state and the target that its value moves toward.
public struct Lesson: BitwiseCopyable, Sendable {
  /// The slot of the state's features.
  public var slot: Int
  /// V(s) at the time of move selection, in score points.
  public var value: Float
  /// The target, in score points.
  public var target: Float

  @inlinable @inline(__always)
  public init(slot: Int, value: Float, target: Float) {
    self.slot = slot
    self.value = value
    self.target = target
  }
}

/// The last n states of an episode. They wait for the rewards and values that make up their targets.
public struct PendingStates: Sendable {
  @usableFromInline typealias State = (slot: Int, value: Float, reward: Float)

  @usableFromInline let returns: LambdaReturn
  /// n: the number of states that can wait.
  public let capacity: Int
  @usableFromInline var count = 0
  /// The newest state. It is outside the ring, so n = 1 needs no array.
  ///
  /// `reward` belongs to the choice that led to the next state.
  @usableFromInline var newest: State = (0, 0, 0)
  /// The other states, in a ring.
  @usableFromInline var older: [State]
  /// The ring position of the oldest state.
  @usableFromInline var first = 0

  /// - Parameters:
  ///   - lambda: the factor of the lambda-return, in 0...1
  ///   - steps: n, at least 1
  public init(lambda: Float, steps: Int) {
    returns = LambdaReturn(lambda: lambda, steps: steps)
    capacity = steps
    older = Array(repeating: (0, 0, 0), count: capacity - 1)
  }

  /// The ring position of the state that came `age` states after the oldest.
  @inlinable @inline(__always)
  func position(_ age: Int) -> Int {
    let position = first &+ age
    return position >= older.count ? position &- older.count : position
  }

  /// Adds the next state.
  ///
  /// - Parameters:
  ///   - slot: the slot of its features, which must stay there for n more states
  ///   - value: V(s), in score points
  ///   - reward: the reward of the choice that led to it, in score points
  /// - Returns: the state n steps before it, whose target is now complete; `nil` if there is no such state.
  @inlinable @inline(__always)
  public mutating func append(slot: Int, value: Float, reward: Float) -> Lesson? {
    newest.reward = reward
    let due = count == capacity ? takeOldest(valueAfter: value) : nil
    if count > 0 { older[position(count &- 1)] = newest }
    newest = (slot, value, 0)
    count &+= 1
    return due
  }

  /// Forgets all states, such as those of an episode that is given up.
  @inlinable
  public mutating func removeAll() { (count, first) = (0, 0) }

  /// Removes the oldest state after the last move of an episode; `nil` when no state is left.
  @inlinable
  public mutating func removeFirst() -> Lesson? {
    count > 0 ? takeOldest(valueAfter: 0) : nil
  }

  /// Removes the oldest state and completes its target.
  ///
  /// - Parameter valueAfter: the value of the state after the newest one, in score points
  @inlinable @inline(__always)
  mutating func takeOldest(valueAfter: Float) -> Lesson {
    var target = returns.value(reward: newest.reward, value: valueAfter, next: valueAfter)
    var (oldest, value) = (newest, newest.value)
    count &-= 1
    if count > 0 {
      for age in stride(from: count &- 1, through: 0, by: -1) {
        oldest = older[position(age)]
        target = returns.value(reward: oldest.reward, value: value, next: target)
        value = oldest.value
      }
      first = position(1)
    }
    return Lesson(slot: oldest.slot, value: oldest.value, target: target)
  }
}
