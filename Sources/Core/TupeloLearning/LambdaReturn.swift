/// The lambda-return: which target a state learns toward, and how far ahead it looks.
///
/// It mixes the returns after one step, two steps and so on: G_t = r + (1 - lambda) V(s') + lambda G_t+1. So G_t -
/// V(s_t) is the sum of lambda^k delta_t+k (Sutton & Barto 2018, eq. 12.2; Jaskowski 2018, eq. 9). Lambda 0 is TD(0),
/// 1 with n steps is the n-step return.
public struct LambdaReturn: Hashable, Sendable {
  /// The factor lambda, in 0...1.
  public let lambda: Float
  /// n: the number of TD errors in a target. A state learns n moves after it was reached (*delayed* TD(lambda)).
  ///
  /// `nil` means the rest of the episode: its states learn when it is over, from the last to the first (*backward*
  /// TD(lambda)).
  public let steps: Int?

  /// TD(0).
  public static let oneStep = LambdaReturn(lambda: 0, steps: 1)

  /// - Precondition: `lambda` is in 0...1, `steps` at least 1.
  public init(lambda: Float, steps: Int?) {
    precondition((0...1).contains(lambda) && steps ?? 1 >= 1)
    self.lambda = lambda
    self.steps = steps
  }

  /// The fewest steps after which the rest weighs no more than a tenth (Jaskowski 2018, section III-C).
  ///
  /// It is the least n with lambda^n <= 0.1, at least 1. `nil` for lambda 1, whose weights never fade.
  public static func steps(for lambda: Float) -> Int? {
    guard lambda < 1 else { return nil }
    var (steps, weight) = (1, lambda)
    while weight > 0.1 {
      weight *= lambda
      steps += 1
    }
    return steps
  }

  /// The return of a state, given the return of the state after it. All numbers are in score points.
  ///
  /// - Parameters:
  ///   - reward: the reward of the move between the two states
  ///   - value: V of the state after it
  ///   - next: the return of the state after it; its value where the look-ahead ends
  @inlinable @inline(__always)
  public func value(reward: Float, value: Float, next: Float) -> Float {
    reward + (1 - lambda) * value + lambda * next
  }
}
