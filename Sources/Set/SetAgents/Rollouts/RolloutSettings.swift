/// The settings for comparing choices by rollouts.
public struct RolloutSettings: Hashable, Sendable {
  /// The largest number of rollouts for each choice; `nil` for only a time limit.
  public var count: Int?
  /// The time for one choice.
  public var time: Duration?
  /// The weight of the evaluator's value of a choice, as a number of rollouts; 0 for no evaluator.
  ///
  /// A value is (prior * V + sum of the rollouts) / (prior + number of rollouts), plus the Set taken.
  public var prior: Int
  /// Whether choices that are clearly worse than the best get no more rollouts.
  public var eliminates: Bool
  /// The number of the policy's choices after which a rollout ends with the evaluator's value; `nil` for rollouts to
  /// the end.
  public var depth: Int?

  /// - Precondition: count, time and depth are above 0, and one of count and time is given; the prior is 0 or more.
  public init(
    count: Int? = nil, time: Duration? = nil, prior: Int = 0, eliminates: Bool = false, depth: Int? = nil
  ) {
    precondition(count ?? 1 >= 1 && time ?? .seconds(1) > .zero, "rollouts take time")
    precondition(count != nil || time != nil, "rollouts have a limit")
    precondition(prior >= 0 && depth ?? 1 >= 1, "a prior is 0 or more, a depth 1 or more")
    self.count = count
    self.time = time
    self.prior = prior
    self.eliminates = eliminates
    self.depth = depth
  }

  /// Only a number of rollouts for each choice.
  public static func count(_ count: Int) -> RolloutSettings { RolloutSettings(count: count) }

  /// The search: rollouts until the time is over, with the evaluator's values as prior. Promising choices get more
  /// rollouts.
  public static func search(time: Duration) -> RolloutSettings {
    RolloutSettings(time: time, prior: standardPrior, eliminates: true)
  }

  /// The prior that plays best with the hand-written heuristic.
  public static var standardPrior: Int { 60 }
}
