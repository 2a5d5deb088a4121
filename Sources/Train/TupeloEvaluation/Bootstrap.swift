internal import TupeloBase

/// 95% intervals of statistics by resampling: the bootstrap (Efron 1979) with percentile intervals (Efron & Tibshirani
/// 1993, "An Introduction to the Bootstrap", chapter 13).
///
/// The random numbers come from a seeded stream that begins again for each interval. So an interval depends on its
/// numbers alone, and repeats on every machine. Percentile intervals of few numbers are too narrow; see `RunSample`.
package struct Bootstrap: Hashable, Sendable {
  package let resamples: Int
  package let seed: UInt64

  package static let standard = Bootstrap(resamples: 10_000, seed: 1)

  /// - Parameters:
  ///   - resamples: how often each sample is drawn again, at least two
  ///   - seed: the seed of the random numbers
  package init(resamples: Int, seed: UInt64) {
    precondition(resamples > 1, "an interval needs two resamples")
    (self.resamples, self.seed) = (resamples, seed)
  }

  /// The interval of a statistic of independent samples. Each sample is drawn again by itself, with replacement.
  ///
  /// - Parameters:
  ///   - sizes: the number of values of each sample, at least one
  ///   - statistic: computes the statistic from the number of times that each value of each sample was drawn
  /// - Returns: the 2.5% and 97.5% percentiles; between two resamples, a percentile is on a straight line
  /// - Complexity: O(`resamples` x (values + statistic) + `resamples` x log(`resamples`))
  package func interval(of sizes: [Int], _ statistic: ([[Int]]) -> Double) -> ClosedRange<Double> {
    var random = RandomStream(seed: seed)
    let blank = sizes.map { Array(repeating: 0, count: $0) }
    let found = (0..<resamples).map { _ in
      var counts = blank
      for (sample, size) in sizes.enumerated() {
        for _ in 0..<size { counts[sample][random.next(below: size)] += 1 }
      }
      return statistic(counts)
    }.sorted()
    return Self.percentile(0.025, of: found)...Self.percentile(0.975, of: found)
  }

  private static func percentile(_ share: Double, of sorted: [Double]) -> Double {
    let place = share * Double(sorted.count - 1)
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
  }
}
