public import TupeloTables

/// TD learning over afterstates: V(s) moves toward a target. For TD(0) that is r + V(s'), where s' is the afterstate that follows s
/// under greedy play and r the reward of the move that led to it (Szubert & Jaskowski 2014, algorithm "TD-afterstate"; Sutton &
/// Barto, eq. 6.2); `LambdaReturn` has the others.
///
/// It sees weights, indices and rewards, never a board, so it serves any game that has an indexer.
public struct TemporalDifferenceLearner<Rule: StepSizeRule>: Sendable {
  public let weights: WeightStorage<Rule.Cell>
  public var rule: Rule
  /// 1/m
  @usableFromInline let share: Float

  /// - Parameter featureCount: m, the number of weights that make up a value.
  public init(weights: WeightStorage<Rule.Cell>, rule: Rule, featureCount: Int) {
    self.weights = weights
    self.rule = rule
    share = 1 / Float(featureCount)
  }

  /// The value of the state whose features are in a slot, in score points.
  @inlinable @inline(__always)
  public func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    weights.sum(features, slot: slot)
  }

  /// Moves the value of a state toward `target`.
  ///
  /// - Parameters:
  ///   - value: what `value(_:slot:)` said when the state was chosen
  ///   - target: such as r + V(s'), or 0 after the last move of an episode
  /// - Returns: the error, target - V(s), in score points.
  /// - Complexity: O(m)
  @inlinable @inline(__always)
  public func learn(_ features: borrowing FeatureBuffer, slot: Int, value: Float, target: Float) -> Float {
    let error = target - (Rule.reevaluates ? self.value(features, slot: slot) : value)
    update(features, slot: slot, error: error)
    return error
  }

  /// Moves the value of a state by its error.
  ///
  /// - Returns: its new value, as `WeightStorage.update` has it.
  /// - Complexity: O(m)
  @inlinable @inline(__always) @discardableResult
  public func update(_ features: borrowing FeatureBuffer, slot: Int, error: Float) -> Float {
    weights.update(features, slot: slot) { cell in
      rule.update(&cell, error: error, share: share)
    } four: { sums in
      rule.steps(&sums, error: error, share: share)
    }
  }
}
