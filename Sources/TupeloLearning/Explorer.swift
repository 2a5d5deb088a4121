public import TupeloEngine
public import TupeloTables

/// Makes the choices of training: mostly the best one, now and then another, to see what it is worth.
public protocol Explorer: Sendable {
  /// What a choice that was never made gets on top, in score points; 0 where visits are not looked at.
  var bonus: Float { get set }

  /// Chooses; `nil` when there is no choice.
  ///
  /// - Parameters:
  ///   - slot: where the features of choice 0 are; those of the others follow by number
  ///   - learner: says what the states are worth
  ///   - random: what lots are drawn from
  mutating func choose<Choices: ChoiceSet, L: Learner & ~Copyable>(
    among choices: Choices, slot: Int, valuedBy learner: inout L, _ features: inout FeatureBuffer,
    using random: inout RandomStream
  ) -> Choice?
}

/// A choice that has been made.
public struct Choice: Sendable {
  public var number: Int
  /// V of the state that it leads to, in score points.
  public var value: Float
  /// Reward plus value of the best choice, where this is another one, made to explore.
  public var foregone: Float?

  @inlinable @inline(__always)
  public init(number: Int, value: Float, foregone: Float? = nil) {
    (self.number, self.value, self.foregone) = (number, value, foregone)
  }
}
