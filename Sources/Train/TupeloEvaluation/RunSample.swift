/// The scores of training runs with equal settings and different seeds: one number for each run.
///
/// The games of a run's evaluation are not independent samples of a setting, because they are played by one network. So
/// a run counts as one number, however many games measured it.
package struct RunSample: Hashable, Sendable {
  /// The scores, in ascending order.
  package let sorted: [Double]
  /// The mean with its 95% interval by Student's t.
  package let mean: MeanEstimate

  /// The fewest runs of a sample for a verdict. With fewer runs, the interval of a difference is too wide to exclude
  /// anything but luck, and a bootstrap interval is far too narrow.
  package static let fewestForVerdict = 5

  /// - Returns: `nil` without scores
  package init?(_ scores: [Double]) {
    // The order of the runs does not change the last bits of a sum.
    sorted = scores.sorted()
    guard let mean = MeanEstimate(of: sorted) else { return nil }
    self.mean = mean
  }

  package var count: Int { sorted.count }
  package var hasVerdict: Bool { count >= Self.fewestForVerdict }

  /// The interquartile mean: the mean of the middle half. Of n scores, the n/4 lowest and the n/4 highest are left out,
  /// rounded down. It depends less on single runs than the mean, and less on chance than the median (Agarwal et al.
  /// 2021, "Deep Reinforcement Learning at the Edge of the Statistical Precipice", section 4.3).
  package var interquartileMean: Double { interquartileMean(drawn: Array(repeating: 1, count: count)) }

  /// The 95% interval of the interquartile mean by the bootstrap; `nil` below `fewestForVerdict` runs.
  package func interquartileInterval(_ bootstrap: Bootstrap = .standard) -> ClosedRange<Double>? {
    guard hasVerdict else { return nil }
    return bootstrap.interval(of: [count]) { interquartileMean(drawn: $0[0]) }
  }

  /// The interquartile mean of a sample that has each score a number of times, `count` scores in all.
  private func interquartileMean(drawn counts: [Int]) -> Double {
    let cut = count / 4
    let middle = cut..<(count - cut)
    var (place, sum) = (0, 0.0)
    for (score, times) in zip(sorted, counts) {
      sum += score * Double((place..<(place + times)).clamped(to: middle).count)
      place += times
    }
    return sum / Double(middle.count)
  }
}
