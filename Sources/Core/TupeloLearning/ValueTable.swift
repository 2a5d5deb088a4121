public import TupeloTables

/// The values of states as sums of weights in tables, and their updates toward targets. Every table learner has one.
///
/// If a network has stages, each stage has its own block of `StageRules.size` weights, and the features select the
/// block.
public struct ValueTable<Rule: StepSizeRule>: Sendable {
  public let weights: WeightStorage<Rule.Cell>
  public var rule: Rule
  /// 1/m, where m is the number of weights that make up a value.
  @usableFromInline let share: Float
  @usableFromInline let stages: StageRules

  /// - Parameters:
  ///   - weights: the weights of all features
  ///   - rule: decides how far a weight moves for an error
  ///   - featureCount: m, the number of weights that make up a value
  ///   - stages: how the stages depend on each other; by default there is one stage
  public init(
    weights: WeightStorage<Rule.Cell>, rule: Rule, featureCount: Int, stages: StageRules = StageRules()
  ) {
    self.weights = weights
    self.rule = rule
    self.stages = stages
    share = 1 / Float(featureCount)
  }

  /// The table with other weights instead of its own, such as the weights of a replica.
  package func over(_ weights: WeightStorage<Rule.Cell>) -> Self { Self(self, weights: weights) }

  private init(_ other: Self, weights: WeightStorage<Rule.Cell>) {
    (self.weights, rule, share, stages) = (weights, other.rule, other.share, other.stages)
  }

  /// The value, in score points, of the state whose features are in a slot.
  @inlinable @inline(__always)
  public func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    weights.sum(features, slot: slot)
  }

  /// The value of the state in a slot, in score points, for a choice. With weight promotion, zero weights of a later
  /// stage first take over the weights of an earlier stage. If the later stage is frozen, they only count as these.
  @inlinable @inline(__always)
  public func promotedValue(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    if stages.promotes, stages.stage(of: features, slot: slot) > 0 {
      if isFrozen(features, slot: slot) {
        return weights.promotedSum(features, slot: slot, stageSize: stages.size)
      }
      weights.promote(features, slot: slot, stageSize: stages.size)
    }
    return value(features, slot: slot)
  }

  @inlinable @inline(__always)
  public func isFrozen(_ features: borrowing FeatureBuffer, slot: Int) -> Bool {
    stages.frozen != 0 && stages.frozen >> UInt16(stages.stage(of: features, slot: slot)) & 1 == 1
  }

  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) { weights.prefetch(features, slot: slot) }

  /// Prefetches the sums for an update of the state in a slot.
  @inlinable @inline(__always)
  public func prefetchSums(_ features: borrowing FeatureBuffer, slot: Int) {
    if !isFrozen(features, slot: slot) { weights.prefetchSums(features, slot: slot) }
  }

  /// Moves the value of a state toward the target in a `Lesson`.
  ///
  /// - Returns: the error, target - V(s), in score points.
  @inlinable @inline(__always)
  public func learn(_ lesson: Lesson, _ features: borrowing FeatureBuffer) -> Float {
    learn(features, slot: lesson.slot, value: lesson.value, target: lesson.target)
  }

  /// Moves the value of a state toward `target`, unless the state's stage is frozen.
  ///
  /// - Parameters:
  ///   - features: the buffer with the state's features
  ///   - slot: the slot of these features
  ///   - value: the result of `value(_:slot:)` when the state was chosen
  ///   - target: such as r + V(s'), or 0 after the last move of an episode
  /// - Returns: the error, target - V(s), in score points.
  /// - Complexity: O(m)
  @inlinable @inline(__always)
  public func learn(_ features: borrowing FeatureBuffer, slot: Int, value: Float, target: Float) -> Float {
    guard !isFrozen(features, slot: slot) else { return target - value }
    let error = target - (Rule.reevaluates ? self.value(features, slot: slot) : value)
    shift(features, slot: slot, error: error)
    return error
  }

  /// Moves the value of a state by its error, unless the state's stage is frozen.
  ///
  /// - Returns: the new value, as `WeightStorage.update` defines it.
  /// - Complexity: O(m)
  @inlinable @inline(__always) @discardableResult
  public func update(_ features: borrowing FeatureBuffer, slot: Int, error: Float) -> Float {
    isFrozen(features, slot: slot)
      ? promotedValue(features, slot: slot) : shift(features, slot: slot, error: error)
  }

  /// Moves the value of a state whose stage is not frozen.
  @inlinable @inline(__always) @discardableResult
  func shift(_ features: borrowing FeatureBuffer, slot: Int, error: Float) -> Float {
    guard Rule.updatesFour else {
      return weights.update(features, slot: slot) { cell in rule.update(&cell, error: error, share: share) }
    }
    return weights.update(features, slot: slot) { cell in
      rule.update(&cell, error: error, share: share)
    } four: { sums in
      rule.steps(&sums, error: error, share: share)
    }
  }
}

/// How the stages of a network depend on each other while it learns. Weights of stage k begin at k times `size`.
public struct StageRules: Hashable, Sendable {
  /// Weights per stage.
  public var size: UInt32
  /// Whether a zero weight of a later stage takes over an earlier stage's weight (Jaskowski 2018, section III-F).
  public var promotes: Bool
  /// The frozen stages, whose weights do not change: one bit each.
  @usableFromInline var frozen: UInt16

  /// - Parameters:
  ///   - size: weights per stage; 0 for a network with one stage
  ///   - promotes: whether a zero weight of a later stage takes over an earlier stage's weight
  ///   - frozen: stages whose weights do not change, each below 16
  public init(size: UInt32 = 0, promotes: Bool = false, frozen: Set<Int> = []) {
    self.size = size
    self.promotes = promotes
    self.frozen = frozen.reduce(0) { $0 | 1 << UInt16($1) }
  }

  /// The weights of stages that are not frozen, among `count` weights, in ascending order.
  package func changeable(of count: Int) -> [Range<Int>] {
    guard size > 0, frozen != 0 else { return [0..<count] }
    let size = Int(size)
    return (0..<count / size).filter { frozen >> UInt16($0) & 1 == 0 }.map { $0 * size..<($0 + 1) * size }
  }

  /// The stage of the state in a slot: the stage of its first feature.
  @inlinable @inline(__always)
  func stage(of features: borrowing FeatureBuffer, slot: Int) -> Int {
    size == 0 ? 0 : Int(features.feature(0, ofSlot: slot) / size)
  }
}
