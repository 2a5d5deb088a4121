/// A learner whose parameters are weights in tables. It holds what all of these have in common; they differ in a
/// state's target, and in when the state moves toward it.
public protocol TableLearner: Learner, ~Copyable {
  associatedtype Rule: StepSizeRule

  /// The weights, and the rule that moves them.
  ///
  /// For use between rounds: a getter of a protocol returns a copy, which costs a reference count per call. Reading a
  /// value or prefetching it is therefore up to each learner, which has the property itself.
  var table: TemporalDifferenceLearner<Rule> { get set }
}

extension TableLearner where Self: ~Copyable {
  @inlinable public var scratchSlots: Int { 0 }

  public mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    table.rule.setStepSize(alpha, isWarmUp: isWarmUp)
  }
}
