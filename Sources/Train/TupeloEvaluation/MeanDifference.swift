/// The difference of two means of independent numbers, and what it shows.
package struct MeanDifference: Hashable, Sendable {
  /// The second mean minus the first.
  package let mean: Double
  /// Half the width of the 95% interval by Welch's t; infinite where one of the two is a single number.
  package let margin: Double
  /// The smallest true difference that so many numbers would have shown; see `MeanEstimate.smallestDifference`.
  package let smallest: Double
  private let first: Double

  package init(from first: MeanEstimate, to second: MeanEstimate) {
    mean = second.mean - first.mean
    margin = first.margin(ofDifferenceTo: second)
    smallest = first.smallestDifference(to: second)
    self.first = first.mean
  }

  /// What a difference shows. No verdict says that two means are equal: only that they differ by little.
  package enum Verdict: String, Sendable {
    case higher, lower
    /// The whole interval lies within 1% of the first mean.
    case within = "within 1%"
    /// The interval has zero in it, and differences of more than 1%.
    case underpowered
  }

  package var verdict: Verdict {
    if mean - margin > 0 { return .higher }
    if mean + margin < 0 { return .lower }
    return abs(mean) + margin <= abs(first) / 100 ? .within : .underpowered
  }
}
