/// Pearson's test whether counts come from given probabilities.
///
/// Right counts exceed the critical value in one test of a thousand; with a fixed seed they always do or never do.
public struct ChiSquare: Sendable, CustomStringConvertible {
  /// The sum over all kinds of (observed - expected)^2 / expected. Infinite when something impossible was observed.
  public let statistic: Double
  /// The number of kinds with a probability above zero, less one.
  public let degreesOfFreedom: Int

  /// - Parameters:
  ///   - observed: how often each kind was seen
  ///   - probabilities: one per kind; they add up to 1. Draws should be enough to expect five or more of every possible
  ///     kind.
  public init(observed: [Int], probabilities: [Double]) {
    precondition(observed.count == probabilities.count, "one probability per kind")
    let draws = Double(observed.reduce(0, +))
    var statistic = 0.0
    for (count, probability) in zip(observed, probabilities) where count > 0 || probability > 0 {
      let expected = draws * probability
      statistic += (Double(count) - expected) * (Double(count) - expected) / expected
    }
    self.statistic = statistic
    degreesOfFreedom = probabilities.count { $0 > 0 } - 1
  }

  /// The value that the statistic exceeds with probability 0.001 when the probabilities are right, after Wilson and
  /// Hilferty (1931). The result is never below the true quantile. It is above it by 3.1% for one degree of freedom,
  /// 1.2% for five, 0.4% for fifteen.
  public static func criticalValue(degreesOfFreedom: Int) -> Double {
    guard degreesOfFreedom > 0 else { return 0 }
    let degrees = Double(degreesOfFreedom)
    // The upper 0.001 quantile of the normal distribution.
    let quantile = 3.090_232
    let root = 1 - 2 / (9 * degrees) + quantile * (2 / (9 * degrees)).squareRoot()
    return degrees * root * root * root
  }

  /// True when the counts differ from their expectation no more than chance makes them differ 999 times in 1000.
  public var isPlausible: Bool { statistic <= Self.criticalValue(degreesOfFreedom: degreesOfFreedom) }

  public var description: String {
    "chi-square \(statistic) with \(degreesOfFreedom) degrees of freedom, critical value "
      + "\(Self.criticalValue(degreesOfFreedom: degreesOfFreedom))"
  }
}
