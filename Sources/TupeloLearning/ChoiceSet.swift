public import TupeloEngine

/// The choices of a position, by number, each with its reward and the state that it leads to.
///
/// Numbers run from 0 to `end`; those that `contains` refuses are no choices.
public protocol ChoiceSet: Sendable {
  associatedtype State: Sendable

  /// One beyond the largest number.
  var end: Int { get }
  /// How many choices there are.
  var count: Int { get }
  func contains(_ choice: Int) -> Bool
  /// The choice with `rank` choices of lower number.
  ///
  /// - Precondition: `rank` is below `count`.
  func choice(ofRank rank: Int) -> Int
  /// Score points.
  func reward(ofChoice choice: Int) -> Float
  /// The state that a choice leads to, before chance has its turn.
  func state(afterChoice choice: Int) -> State
}

extension ChoiceSet {
  /// With a chance of `epsilon`, any choice (epsilon-greedy); else, or when there is none, `nil`.
  ///
  /// - Parameters:
  ///   - epsilon: in 0...1; with 0 no lot is drawn
  ///   - random: what lots are drawn from
  @inlinable @inline(__always)
  public func draw(epsilon: Double, using random: inout RandomStream) -> Int? {
    guard epsilon > 0, count > 0, random.next(below: 1 << 24) < Int(epsilon * 0x1p24) else { return nil }
    return choice(ofRank: random.next(below: count))
  }
}
