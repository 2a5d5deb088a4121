/// Ranks choices by the sum of reward and value, raised by what explores, and remembers which would be best without.
public struct ExplorationRanking: Sendable {
  @usableFromInline var chosen: Choice?
  @usableFromInline var best: Int?
  @usableFromInline var bestSum = -Float.infinity
  @usableFromInline var raisedSum = -Float.infinity

  @inlinable @inline(__always)
  public init() {}

  /// The choice so far.
  @inlinable @inline(__always)
  public var choice: Choice? {
    guard var choice = chosen else { return nil }
    choice.foregone = choice.number == best ? nil : bestSum
    return choice
  }

  /// Takes in a choice.
  ///
  /// - Returns: whether it is the best so far, as raised.
  @inlinable @inline(__always)
  public mutating func add(_ number: Int, value: Float, reward: Float, raise: Float) -> Bool {
    let sum = reward + value
    if best == nil || sum > bestSum { (best, bestSum) = (number, sum) }
    guard chosen == nil || sum + raise > raisedSum else { return false }
    (chosen, raisedSum) = (Choice(number: number, value: value), sum + raise)
    return true
  }

  /// Makes a choice the one that is made, whatever the sums say.
  @inlinable @inline(__always)
  public mutating func prefer(_ number: Int, value: Float) { chosen = Choice(number: number, value: value) }
}
