/// The difference between the runs of two settings, and the verdict on it.
package struct RunSampleDifference: Sendable {
  /// The second mean minus the first one, with its 95% interval by Welch's t.
  package let mean: MeanDifference
  /// The probability that a run of the second sample scores higher than one of the first sample; equal scores count one
  /// half.
  package let probability: Double
  package let verdict: Verdict

  /// The verdict on the difference of the means. Its error is at most 5% for one comparison. Of many comparisons with
  /// equal settings, one in twenty has a verdict by chance.
  package enum Verdict: String, Hashable, Sendable {
    case higher, lower
    /// The whole interval is within 1% of the first mean.
    case within = "within 1%"
    /// The interval contains zero, and differences of more than 1%.
    case undecided
    /// One of the samples has fewer runs than `RunSample.fewestForVerdict`.
    case tooFew = "too few seeds"
  }

  private let improvement: ImprovementProbability

  package init(from first: RunSample, to second: RunSample) {
    mean = MeanDifference(from: first.mean, to: second.mean)
    improvement = ImprovementProbability(of: second, over: first)
    probability = improvement.value
    guard first.hasVerdict, second.hasVerdict else {
      verdict = .tooFew
      return
    }
    verdict =
      switch mean.verdict {
      case .higher: .higher
      case .lower: .lower
      case .within: .within
      case .underpowered: .undecided
      }
  }

  /// The 95% interval of `probability` by the bootstrap; `nil` where one of the samples is too small for a verdict.
  package func probabilityInterval(_ bootstrap: Bootstrap = .standard) -> ClosedRange<Double>? {
    verdict == .tooFew ? nil : improvement.interval(bootstrap)
  }
}
