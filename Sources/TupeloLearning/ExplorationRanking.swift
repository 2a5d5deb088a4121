/// Ranks choices by reward + value + exploration bonus, and remembers the best choice without the bonus.
public struct ExplorationRanking: Sendable {
  @usableFromInline var chosen: Choice?
  @usableFromInline var best: Int?
  @usableFromInline var bestSum = -Float.infinity
  @usableFromInline var raisedSum = -Float.infinity

  @inlinable @inline(__always)
  public init() {}

  /// The choice with the largest sum so far, or the preferred one. `foregone` is set when it is not the best by reward
  /// + value.
  @inlinable @inline(__always)
  public var choice: Choice? {
    guard var choice = chosen else { return nil }
    choice.foregone = choice.number == best ? nil : bestSum
    return choice
  }

  /// Adds a choice.
  ///
  /// - Parameters:
  ///   - number: the number of the choice
  ///   - value: V of the state that it leads to, in score points
  ///   - reward: the reward of the choice, in score points
  ///   - raise: the exploration bonus, in score points
  /// - Returns: whether its sum with the bonus is the largest so far.
  @inlinable @inline(__always)
  public mutating func add(_ number: Int, value: Float, reward: Float, raise: Float) -> Bool {
    let sum = reward + value
    if best == nil || sum > bestSum { (best, bestSum) = (number, sum) }
    guard chosen == nil || sum + raise > raisedSum else { return false }
    (chosen, raisedSum) = (Choice(number: number, value: value), sum + raise)
    return true
  }

  /// Replaces the chosen choice, whatever the sums are.
  @inlinable @inline(__always)
  public mutating func prefer(_ number: Int, value: Float) { chosen = Choice(number: number, value: value) }
}
