public import TupeloTables

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

  /// The stage of the state in a slot: the stage of its first feature.
  @inlinable @inline(__always)
  func stage(of features: borrowing FeatureBuffer, slot: Int) -> Int {
    size == 0 ? 0 : Int(features.feature(0, ofSlot: slot) / size)
  }
}
