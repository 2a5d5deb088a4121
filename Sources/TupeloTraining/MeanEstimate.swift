/// A mean with its uncertainty.
public struct MeanEstimate: Hashable, Sendable {
  public let mean: Double
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
    deviation = count > 1 ? (squares / (count - 1)).squareRoot() : .infinity
    margin = StudentT.quantile(degrees: numbers.count - 1) * (deviation / count.squareRoot())
  }
}
