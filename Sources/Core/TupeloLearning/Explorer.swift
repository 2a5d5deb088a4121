public import TupeloBase
public import TupeloTables

/// Picks the moves of training: mostly the best choice, and sometimes a random choice (epsilon-greedy).
///
/// The best choice is the first with the largest reward + value. Training treats a random choice as if it were the best
/// choice.
public struct Explorer: Sendable {
  /// The probability of a uniformly random choice, in 0...1.
  @usableFromInline let epsilon: Double

  public init(epsilon: Double = 0) { self.epsilon = epsilon }

  /// Picks a choice; `nil` if there are no choices.
  ///
  /// - Parameters:
  ///   - choices: the choices and their rewards
  ///   - slot: the slot of choice 0's features; choice k has slot `slot + k`
  ///   - learner: gives the values of states
  ///   - features: the buffer with the choices' features
  ///   - random: the source of random numbers
  @inlinable @inline(__always)
  public func choose<Choices: ChoiceSet, L: Learner & ~Copyable>(
    among choices: Choices, slot: Int, valuedBy learner: borrowing L, _ features: borrowing FeatureBuffer,
    using random: inout RandomStream
  ) -> Choice? {
    if let number = choices.draw(epsilon: epsilon, using: &random) {
      return Choice(number: number, value: learner.value(features, slot: slot + number))
    }
    var best: Choice?
    var bestSum = -Float.infinity
    for number in 0..<choices.end where choices.contains(number) {
      let value = learner.value(features, slot: slot &+ number)
      let sum = choices.reward(ofChoice: number) + value
      if best == nil || sum > bestSum {
        best = Choice(number: number, value: value)
        bestSum = sum
      }
    }
    return best
  }
}

/// A choice that has been made.
public struct Choice: Sendable {
  public var number: Int
  /// V of the state that it leads to, in score points.
  public var value: Float

  @inlinable @inline(__always)
  public init(number: Int, value: Float) { (self.number, self.value) = (number, value) }
}
