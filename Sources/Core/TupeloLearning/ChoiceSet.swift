public import TupeloBase

/// The choices of a position, by number, each with its reward and the state that it leads to.
///
/// Choices have numbers from 0 up to, but not including, `end`. Numbers for which `contains` is false are not choices.
public protocol ChoiceSet: Sendable {
  associatedtype State: Sendable

  /// One more than the largest number of a choice.
  var end: Int { get }
  /// The number of choices.
  var count: Int { get }
  func contains(_ choice: Int) -> Bool
  /// The choice with `rank` choices of lower number.
  ///
  /// - Precondition: `rank` is below `count`.
  func choice(ofRank rank: Int) -> Int
  /// The reward of a choice, in score points.
  func reward(ofChoice choice: Int) -> Float
  /// The state that a choice leads to, before the chance outcome (the afterstate).
  func state(afterChoice choice: Int) -> State
}

extension ChoiceSet {
  @inlinable public var count: Int { (0..<end).count { contains($0) } }

  @inlinable
  public func choice(ofRank rank: Int) -> Int {
    var left = rank
    for number in 0..<end where contains(number) {
      if left == 0 { return number }
      left &-= 1
    }
    preconditionFailure("there are not as many choices")
  }

  /// A uniformly random choice with probability `epsilon` (epsilon-greedy). Otherwise, or if there are no choices, the
  /// result is `nil`.
  ///
  /// - Parameters:
  ///   - epsilon: in 0...1; with 0 no random number is drawn
  ///   - random: the source of random numbers
  @inlinable @inline(__always)
  public func draw(epsilon: Double, using random: inout RandomStream) -> Int? {
    guard epsilon > 0, count > 0, random.next(below: 1 << 24) < Int(epsilon * 0x1p24) else { return nil }
    return choice(ofRank: random.next(below: count))
  }
}
