public import TupeloTables

/// A learner whose parameters are weights in tables. It holds what all of these have in common; they differ in a
/// state's target, and in when the state moves toward it.
public protocol TableLearner: Learner, ~Copyable {
  associatedtype Rule: StepSizeRule

  /// The weights, and the rule that moves them.
  var table: TemporalDifferenceLearner<Rule> { get set }
}

extension TableLearner where Self: ~Copyable {
  @inlinable public var scratchSlots: Int { 0 }

  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) { table.prefetch(features, slot: slot) }

  @inlinable @inline(__always)
  public func value(_ features: inout FeatureBuffer, slot: Int) -> Float { table.promotedValue(features, slot: slot) }

  public mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    table.rule = Rule(alpha: alpha, isWarmUp: isWarmUp)
  }
}
