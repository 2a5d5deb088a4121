/// A learner whose parameters are weights in tables. All table learners have these members. They differ in a state's
/// target, and in the time when the state moves toward it.
public protocol TableLearner: Learner, ~Copyable {
  associatedtype Rule: StepSizeRule

  /// The weights, and the rule that moves them.
  ///
  /// Use this property only between rounds, because the getter of a protocol returns a copy, which costs a reference
  /// count per call. Therefore each learner reads and prefetches values through its own stored property.
  var table: ValueTable<Rule> { get set }
}

extension TableLearner where Self: ~Copyable {
  @inlinable public var scratchSlots: Int { 0 }

  public mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    table.rule.setStepSize(alpha, isWarmUp: isWarmUp)
  }
}
