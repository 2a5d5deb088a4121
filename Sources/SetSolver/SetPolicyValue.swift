/// What a policy is worth, computed without playing games.
///
/// The policy is asked about one of symmetric positions alone. Where it finds several Sets equally good, each of them
/// is taken with equal probability. That is exact for a policy that treats symmetric positions alike and draws lots
/// among equals. A player that takes the first of equals by the order of the cards lies within `setsByTies`.
public struct SetPolicyValue: Hashable, Sendable {
  /// What a game is worth under the policy.
  public let value: SetValue
  /// What best play is worth beyond that. For the other objective than the solution's, a number may be negative.
  public let regret: SetValue
  /// The lowest and highest expected number of Sets of all ways to choose among equals, whatever they go by.
  public let setsByTies: ClosedRange<Double>
  /// The probability that 3 k cards are left over, by k.
  public let cardsLeft: [Double]
  /// The expected number of choices in a game between Sets of unequal value.
  public let unequalChoices: Double
  /// The expected number of choices in a game that are not best: the mistakes.
  public let mistakes: Double
  /// The expected number of choices between Sets that the policy finds equally good and that are not.
  public let ties: Double
  /// The number of positions that the policy comes to, up to symmetry.
  public let positionCount: Int

  /// The mean loss per Set taken, in Sets: a policy makes as many choices as it takes Sets.
  public var lossPerChoice: Double { regret.sets / value.sets }
}
