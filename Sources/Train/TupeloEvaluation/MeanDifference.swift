/// The difference of two means of independent numbers, and the verdict on it.
package struct MeanDifference: Hashable, Sendable {
  /// The second mean minus the first mean.
  package let mean: Double
  /// Half the width of the 95% interval by Welch's t; infinite if one of the samples is a single number.
  package let margin: Double
  /// The minimum detectable difference for these sample sizes; see `MeanEstimate.smallestDifference`.
  package let smallest: Double
  private let first: Double

  package init(from first: MeanEstimate, to second: MeanEstimate) {
    mean = second.mean - first.mean
    margin = first.margin(ofDifferenceTo: second)
    smallest = first.smallestDifference(to: second)
    self.first = first.mean
  }

  /// The verdict on a difference. No verdict means that two means are equal, only that they differ by little.
  package enum Verdict: String, Sendable {
    case higher, lower
    /// The whole interval is within 1% of the first mean.
    case within = "within 1%"
    /// The interval contains zero, and differences of more than 1%.
    case underpowered
  }

  package var verdict: Verdict {
    if mean - margin > 0 { return .higher }
    if mean + margin < 0 { return .lower }
    return abs(mean) + margin <= abs(first) / 100 ? .within : .underpowered
  }
}
