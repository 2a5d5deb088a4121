/// The probability that a run of one sample scores higher than a run of another one, where equal scores count one half.
/// It is the Mann-Whitney statistic U divided by the number of pairs (Agarwal et al. 2021, "Deep Reinforcement Learning
/// at the Edge of the Statistical Precipice", section 4.3).
struct ImprovementProbability: Sendable {
  private let first: Int
  private let second: Int
  /// For each score of the second sample, the scores of the first sample that are lower, and those that are not higher.
  private let ranks: [(lower: Int, notHigher: Int)]

  init(of second: RunSample, over first: RunSample) {
    (self.first, self.second) = (first.count, second.count)
    var (lower, notHigher) = (0, 0)
    ranks = second.sorted.map { score in
      while lower < first.count, first.sorted[lower] < score { lower += 1 }
      notHigher = max(notHigher, lower)
      while notHigher < first.count, first.sorted[notHigher] <= score { notHigher += 1 }
      return (lower, notHigher)
    }
  }

  /// The probability, in 0...1.
  var value: Double {
    value(drawn: Array(repeating: 1, count: first), Array(repeating: 1, count: second))
  }

  /// The 95% interval by the bootstrap, which draws both samples again.
  func interval(_ bootstrap: Bootstrap) -> ClosedRange<Double> {
    bootstrap.interval(of: [first, second]) { value(drawn: $0[0], $0[1]) }
  }

  /// The probability for samples that have each score a number of times.
  ///
  /// - Complexity: O(scores)
  private func value(drawn first: [Int], _ second: [Int]) -> Double {
    var below = [0]
    for times in first { below.append(below[below.count - 1] + times) }
    // Twice the statistic, so that the sum is exact.
    let twice = zip(ranks, second).reduce(0) { $0 + (below[$1.0.lower] + below[$1.0.notHigher]) * $1.1 }
    return Double(twice) / Double(2 * self.first * self.second)
  }
}
