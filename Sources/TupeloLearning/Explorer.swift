public import TupeloEngine
public import TupeloTables

/// Picks the moves of training: mostly the best one, now and then another one to explore its value.
public protocol Explorer: Sendable {
  /// The bonus of a choice that was never made, in score points; 0 switches exploration by visits off.
  var bonus: Float { get set }

  /// Picks a choice; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - choices: the choices and their rewards
  ///   - slot: the slot of choice 0's features; choice k has slot `slot + k`
  ///   - learner: gives the values of states
  ///   - features: the buffer with the choices' features
  ///   - random: the source of random numbers
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
  /// Reward plus value of the best choice, if this choice is another one, made to explore.
  public var foregone: Float?

  @inlinable @inline(__always)
  public init(number: Int, value: Float, foregone: Float? = nil) {
    (self.number, self.value, self.foregone) = (number, value, foregone)
  }
}
