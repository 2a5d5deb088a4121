public import TupeloLearning

/// How a `DenseLearner` makes its steps.
public struct DenseLearning: Hashable, Sendable {
  /// N: the largest number of states of a step.
  public var batch: Int
  /// Lambda, and the length of the trajectories that it is computed over.
  public var returns: LambdaReturn
  /// The largest norm of a step's gradient; 0 for any.
  public var clip: Double
  /// Score points per unit of the network's output.
  public var unit: Float

  public static let batches = 1...1024

  /// - Precondition: `batch` is in `batches`, `clip` at least 0, `unit` above 0.
  public init(batch: Int, returns: LambdaReturn, clip: Double = 0, unit: Float = 1) {
    precondition(Self.batches.contains(batch) && clip >= 0 && unit > 0)
    (self.batch, self.returns, self.clip, self.unit) = (batch, returns, clip, unit)
  }

  /// The number of consecutive states that a step takes of a trajectory. States side by side are alike: many of them in
  /// a step would be one state with a large weight.
  @usableFromInline var statesInARow: Int { min(returns.steps ?? 4, 4, batch) }
}
