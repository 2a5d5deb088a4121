import Testing
import TupeloBase
import TupeloTraining

/// Statistics of the scores of runs. The expected numbers are from numpy 2.4 and SciPy 1.17: `scipy.stats.trim_mean`
/// with a quarter cut at each end, `mannwhitneyu(...).statistic` divided by the number of pairs, `ttest_ind` without
/// equal variances, and `numpy.percentile` of 200,000 resamples.
@Suite struct RunSampleTests {
  private static let one = [1052.5, 980.25, 1101, 1007.5, 1052.5, 890, 1233.75, 1011, 1040, 999.5, 1075, 1020]
  private static let other = [1110, 1052.5, 1190.5, 1230, 1099, 1150, 1007.5, 1310, 1075, 1123, 1201, 1140]

  private func sample(_ scores: [Double]) throws -> RunSample { try #require(RunSample(scores)) }

  @Test(arguments: [(12, 1030.583333), (7, 1038.75), (6, 1023.1875), (5, 1037.5), (3, 1044.583333)])
  func interquartileMeans(_ count: Int, _ expected: Double) throws {
    #expect(abs(try sample(Array(Self.one.prefix(count))).interquartileMean - expected) < 1e-6)
  }

  /// A percentile of 10,000 resamples has a standard error of about 0.5.
  @Test func interquartileIntervals() throws {
    for (scores, low, high) in [(Self.one, 1002.4, 1067.8), (Self.other, 1089.1, 1187.2)] {
      let interval = try #require(try sample(scores).interquartileInterval())
      #expect(abs(interval.lowerBound - low) < 2 && abs(interval.upperBound - high) < 2, "\(interval)")
      // The same numbers in any order have the same interval, bit for bit.
      #expect(try sample(scores.reversed()).interquartileInterval() == interval)
    }
    #expect(try sample(Array(Self.one.prefix(4))).interquartileInterval() == nil)
    #expect(try sample([7, 7, 7, 7, 7]).interquartileInterval() == 7...7)
  }

  @Test func probabilityOfImprovement() throws {
    let (one, other) = (try sample(Self.one), try sample(Self.other))
    let difference = RunSampleDifference(from: one, to: other)
    #expect(abs(difference.probability - 5.0 / 6) < 1e-12)
    let interval = try #require(difference.probabilityInterval())
    #expect(abs(interval.lowerBound - 0.635) < 0.015 && abs(interval.upperBound - 0.986) < 0.015, "\(interval)")
    #expect(abs(difference.mean.mean - (171.6755193 + 32.5744807) / 2) < 1e-6)
    // SciPy has 21.99 degrees of freedom, which are rounded down here.
    #expect(abs(difference.mean.margin - 69.5505) < 0.2 && difference.verdict == .higher)
    #expect(RunSampleDifference(from: other, to: one).verdict == .lower)
    #expect(abs(RunSampleDifference(from: other, to: one).probability - 1.0 / 6) < 1e-12)
    #expect(RunSampleDifference(from: one, to: one).probability == 0.5)
    let short = RunSampleDifference(
      from: try sample(Array(Self.one.prefix(5))), to: try sample(Array(Self.other.prefix(7))))
    #expect(abs(short.probability - 0.814285714) < 1e-9)
  }

  @Test func fewRunsHaveNoVerdict() throws {
    let (four, five) = (try sample([1, 2, 1, 2]), try sample([101, 102, 101, 102, 101]))
    let few = RunSampleDifference(from: four, to: five)
    #expect(few.verdict == .tooFew && few.probability == 1 && few.probabilityInterval() == nil)
    #expect(RunSampleDifference(from: five, to: four).verdict == .tooFew)
    let near = RunSampleDifference(from: five, to: try sample([101.1, 101.9, 101.2, 101.8, 101.4]))
    #expect(near.verdict == .within)
    #expect(RunSampleDifference(from: five, to: try sample([90, 115, 99, 105, 101])).verdict == .undecided)
    #expect(RunSample([]) == nil)
  }

  /// For equal settings, one comparison in twenty has a verdict.
  @Test func verdictsOfEqualSettingsAreRare() throws {
    var random = RandomStream(seed: 3)
    /// A sum of twelve uniform numbers, which is nearly normal with variance 1.
    func score() -> Double { 100 + (0..<12).reduce(0) { sum, _ in sum + Double(random.next() >> 11) * 0x1p-53 } }
    var verdicts = 0
    for _ in 0..<4000 {
      let samples = try (0..<2).map { _ in try sample((0..<6).map { _ in score() }) }
      let verdict = RunSampleDifference(from: samples[0], to: samples[1]).verdict
      verdicts += verdict == .higher || verdict == .lower ? 1 : 0
    }
    // Four standard errors of a share of 0.05 are 0.014. Degrees of freedom that are rounded down make it smaller.
    #expect((0.03...0.064).contains(Double(verdicts) / 4000), "\(verdicts)")
  }
}
