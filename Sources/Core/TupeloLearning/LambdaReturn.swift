/// The lambda-return, which is the target of a state, and the number of steps that it looks ahead.
///
/// The lambda-return mixes the returns after one step, two steps and so on: G_t = r + (1 - lambda) V(s') + lambda
/// G_t+1. So G_t - V(s_t) is the sum of lambda^k delta_t+k (Sutton & Barto 2018, eq. 12.2; Jaskowski 2018, eq. 9).
/// Lambda 0 gives TD(0), and lambda 1 with n steps gives the n-step return.
public struct LambdaReturn: Hashable, Sendable {
  /// The factor lambda, in 0...1.
  public let lambda: Float
  /// n: the number of TD errors in a target. A state is updated n moves after it was reached (*delayed* TD(lambda)).
  ///
  /// `nil` means the rest of the episode: its states are updated when it is over, from the last to the first
  /// (*backward* TD(lambda)).
  public let steps: Int?

  /// TD(0).
  public static let oneStep = LambdaReturn(lambda: 0, steps: 1)

  /// - Precondition: `lambda` is in 0...1, `steps` at least 1.
  public init(lambda: Float, steps: Int?) {
    precondition((0...1).contains(lambda) && steps ?? 1 >= 1)
    self.lambda = lambda
    self.steps = steps
  }

  /// The most steps that a configuration can give.
  package static let mostSteps = 1000

  /// The smallest number of steps after which the remaining weight is at most a tenth (Jaskowski 2018, section III-C).
  ///
  /// This is the smallest n with lambda^n <= 0.1, at least 1 and at most 1000, which lambda 0.9978 and above reach. It
  /// is `nil` for lambda 1, whose weights never become smaller.
  public static func steps(for lambda: Float) -> Int? {
    guard lambda < 1 else { return nil }
    var (steps, weight) = (1, lambda)
    while weight > 0.1, steps < mostSteps {
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
  ///   - next: the return of the state after it; at the end of the look-ahead, its value
  @inlinable @inline(__always)
  public func value(reward: Float, value: Float, next: Float) -> Float {
    reward + (1 - lambda) * value + lambda * next
  }
}
