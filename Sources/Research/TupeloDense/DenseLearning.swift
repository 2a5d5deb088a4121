public import TupeloLearning

/// The settings for the steps of a `DenseLearner`.
public struct DenseLearning: Hashable, Sendable {
  /// N: the largest number of states of a step.
  public var batch: Int
  /// Lambda, and the length of the trajectories that it is computed over.
  public var returns: LambdaReturn
  /// The largest norm of a step's gradient; 0 for no limit.
  public var clip: Double
  /// Score points per unit of the network's output.
  public var unit: Float

  public static let batches = 1...1024

  /// - Precondition: `batch` is in `batches`, `clip` at least 0, `unit` above 0.
  public init(batch: Int, returns: LambdaReturn, clip: Double = 0, unit: Float = 1) {
    precondition(Self.batches.contains(batch) && clip >= 0 && unit > 0)
    (self.batch, self.returns, self.clip, self.unit) = (batch, returns, clip, unit)
  }

  /// The number of consecutive states of a trajectory in a step. Consecutive states are similar. Too many of them in a
  /// step would act like one state with a large weight.
  @usableFromInline var statesInARow: Int { min(returns.steps ?? 4, 4, batch) }
}
