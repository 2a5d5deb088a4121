/// A mean with its uncertainty.
public struct MeanEstimate: Hashable, Sendable {
  public let mean: Double
  /// The number of values.
  package let count: Int
  /// The sample standard deviation of the numbers; infinite for a single one.
  package let deviation: Double
  /// Half the width of the 95% confidence interval by Student's t. Infinite for a single number.
  public let margin: Double

  /// - Returns: `nil` without numbers.
  public init?(of numbers: [Double]) {
    guard !numbers.isEmpty else { return nil }
    let count = Double(numbers.count)
    let mean = numbers.reduce(0, +) / count
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    self.mean = mean
    self.count = numbers.count
    deviation = count > 1 ? (squares / (count - 1)).squareRoot() : .infinity
    margin = StudentT.quantile(degrees: numbers.count - 1) * (deviation / count.squareRoot())
  }

  /// An estimate from stored values, such as the values of an evaluation.
  ///
  /// - Parameters:
  ///   - margin: half the width of the 95% interval; infinite for a single number
  ///   - count: the number of values, at least one
  package init(mean: Double, margin: Double, count: Int) {
    (self.mean, self.margin, self.count) = (mean, margin, count)
    deviation =
      count > 1 && margin.isFinite
      ? margin / StudentT.quantile(degrees: count - 1) * Double(count).squareRoot() : .infinity
  }

  /// Half the width of the 95% interval of the difference to the mean of other, independent numbers; infinite where one
  /// of the two has a single number.
  ///
  /// This is Welch's t interval, so the variances may differ. Degrees of freedom are rounded down (Welch 1947).
  package func margin(ofDifferenceTo other: MeanEstimate) -> Double {
    standardError(ofDifferenceTo: other).map { $0.error == 0 ? 0 : StudentT.quantile(degrees: $0.degrees) * $0.error }
      ?? .infinity
  }

  /// The minimum detectable difference to the mean of other, independent numbers, for these sample sizes. With a true
  /// difference of this size, four comparisons in five have a 95% interval without zero. The result is infinite if one
  /// of the samples has a single number.
  ///
  /// It is the half width of the interval plus the 80% quantile of the normal distribution times the standard error
  /// (power 80%, two-sided 95%).
  package func smallestDifference(to other: MeanEstimate) -> Double {
    standardError(ofDifferenceTo: other).map { margin(ofDifferenceTo: other) + Self.powerQuantile * $0.error }
      ?? .infinity
  }

  /// The 80% quantile of the normal distribution.
  private static let powerQuantile = 0.841_621_233_572_914

  /// The square of the standard error of the mean.
  private var squaredError: Double { deviation * deviation / Double(count) }

  /// The standard error of the difference, and Welch's degrees of freedom; `nil` if a standard deviation is not known.
  private func standardError(ofDifferenceTo other: MeanEstimate) -> (error: Double, degrees: Int)? {
    guard deviation.isFinite, other.deviation.isFinite else { return nil }
    let (own, others) = (squaredError, other.squaredError)
    let square = own + others
    guard square > 0 else { return (0, count + other.count - 2) }
    let spread = own * own / Double(count - 1) + others * others / Double(other.count - 1)
    return (square.squareRoot(), Int(min(square * square / spread, 1e15)))
  }
}
