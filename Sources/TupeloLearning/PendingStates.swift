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
  @usableFromInline typealias State = (slot: Int, value: Float, reward: Float, foregone: Float?)

  @usableFromInline let returns: LambdaReturn
  /// n
  public let capacity: Int
  @usableFromInline var count = 0
  /// The last of them, outside the ring, so that n = 1 asks no array. `reward` is that of the choice that led to the
  /// state after it, `foregone` what the best choice would have brought if that was another one.
  @usableFromInline var newest: State = (0, 0, 0, nil)
  /// A ring of the others.
  @usableFromInline var older: [State]
  /// Where in the ring its oldest is.
  @usableFromInline var first = 0

  /// - Parameter returns: one that looks ahead to the end of the episode leaves nothing to wait here.
  public init(_ returns: LambdaReturn) {
    self.returns = returns
    capacity = returns.steps ?? 1
    older = Array(repeating: (0, 0, 0, nil), count: capacity - 1)
  }

  /// Where in the ring the state is that came `age` states after the oldest.
  @inlinable @inline(__always)
  func position(_ age: Int) -> Int {
    let position = first &+ age
    return position >= older.count ? position &- older.count : position
  }

  /// Takes in the next state.
  ///
  /// - Parameters:
  ///   - slot: where its features are, which must stay there for n more states
  ///   - value: V(s)
  ///   - reward: of the choice that led to it
  ///   - foregone: reward plus value of the best choice, where that one was made to explore
  /// - Returns: the state n steps before it, whose target is now complete; `nil` when there is none.
  @inlinable @inline(__always)
  public mutating func append(slot: Int, value: Float, reward: Float, foregone: Float? = nil) -> Lesson? {
    (newest.reward, newest.foregone) = (reward, foregone)
    let due = count == capacity ? takeOldest(valueAfter: value) : nil
    if count > 0 { older[position(count &- 1)] = newest }
    newest = (slot, value, 0, nil)
    count &+= 1
    return due
  }

  /// Takes out the oldest state after the last move of an episode, when nothing more follows; `nil` when none is left.
  @inlinable
  public mutating func removeFirst() -> Lesson? {
    count > 0 ? takeOldest(valueAfter: 0) : nil
  }

  /// Takes out the oldest state with its target, the value after the newest one being known.
  @inlinable @inline(__always)
  mutating func takeOldest(valueAfter: Float) -> Lesson {
    var target = newest.foregone ?? returns.value(reward: newest.reward, value: valueAfter, next: valueAfter)
    var (oldest, value) = (newest, newest.value)
    count &-= 1
    if count > 0 {
      for age in stride(from: count &- 1, through: 0, by: -1) {
        oldest = older[position(age)]
        target = oldest.foregone ?? returns.value(reward: oldest.reward, value: value, next: target)
        value = oldest.value
      }
      first = position(1)
    }
    return Lesson(slot: oldest.slot, value: oldest.value, target: target)
  }
}
