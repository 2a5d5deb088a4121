import Foundation
import Testing
import TupeloEngine
import TupeloTraining

/// The interval of the difference of two means.
@Suite struct MeanDifferenceTests {
  /// Miles per gallon of American and Japanese cars: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.3. Without
  /// equal variances t is -12.94627 with 136.87 degrees of freedom, and a table of t has 1.97756 for 136.
  @Test func theHandbooksExample() {
    let american = MeanEstimate(mean: 20.14458, margin: 1.969576 * 6.41470 / 249.0.squareRoot(), count: 249)
    let japanese = MeanEstimate(mean: 30.48101, margin: 1.990847 * 6.10771 / 79.0.squareRoot(), count: 79)
    #expect(abs(american.deviation - 6.41470) < 1e-5 && abs(japanese.deviation - 6.10771) < 1e-5)
    let margin = american.margin(ofDifferenceTo: japanese)
    let standardError = (american.mean - japanese.mean) / -12.94627
    #expect(abs(margin / standardError - 1.97756) < 1e-4, "\(margin / standardError)")
    #expect(japanese.margin(ofDifferenceTo: american) == margin)
  }

  /// In simulations with a true difference of that size, four comparisons of five have an interval without zero.
  @Test func theSmallestDifferenceIsShownInFourOfFive() throws {
    var random = RandomStream(seed: 8)
    /// A sample of sums of twelve uniform numbers: nearly normal, with mean 6 and variance 1.
    func sample(_ count: Int, scale: Double, shift: Double) -> MeanEstimate? {
      MeanEstimate(
        of: (0..<count).map { _ in
          shift + scale * (0..<12).reduce(0) { sum, _ in sum + Double(random.next() >> 11) * 0x1p-53 }
        })
    }
    let wide = MeanEstimate(mean: 0, margin: StudentT.quantile(degrees: 39) * 3 / 40.0.squareRoot(), count: 40)
    let narrow = MeanEstimate(mean: 0, margin: StudentT.quantile(degrees: 59) * 1 / 60.0.squareRoot(), count: 60)
    let smallest = wide.smallestDifference(to: narrow)
    #expect(narrow.smallestDifference(to: wide) == smallest)
    var shown = 0
    for _ in 0..<4000 {
      let one = try #require(sample(40, scale: 3, shift: 0))
      let two = try #require(sample(60, scale: 1, shift: smallest + 12))
      shown += MeanDifference(from: one, to: two).verdict == .higher ? 1 : 0
    }
    // Four standard errors of a share of 0.8 are 0.025.
    #expect(abs(Double(shown) / 4000 - 0.8) < 0.03, "\(shown)")
  }

  @Test func verdictsNeedAnInterval() throws {
    func estimate(_ mean: Double, _ margin: Double) -> MeanEstimate {
      MeanEstimate(mean: mean, margin: margin, count: 1000)
    }
    let first = estimate(1000, 3)
    for (mean, margin, verdict) in [
      (1010, 3, MeanDifference.Verdict.higher), (990, 3, .lower), (1001, 3, .within), (1001, 20, .underpowered),
      (1009, 9, .underpowered),
    ] as [(Double, Double, MeanDifference.Verdict)] {
      let difference = MeanDifference(from: first, to: estimate(mean, margin))
      #expect(difference.verdict == verdict, "\(mean) \(margin)")
      #expect(difference.mean == mean - 1000 && difference.smallest > difference.margin)
    }
    let single = MeanDifference(from: first, to: MeanEstimate(mean: 1, margin: .infinity, count: 1))
    #expect(single.verdict == .underpowered && single.smallest == .infinity)
  }

  /// A mean that was written down with its interval is the mean of the numbers themselves.
  @Test func estimatesComeBackFromTheirMargins() throws {
    let numbers = [3.0, 8, 1, 12, 9, 9]
    let estimate = try #require(MeanEstimate(of: numbers))
    let read = MeanEstimate(mean: estimate.mean, margin: estimate.margin, count: estimate.count)
    #expect(abs(read.deviation - estimate.deviation) < 1e-12 && estimate.count == 6)
  }

  @Test func singleNumbersHaveNoInterval() throws {
    let (one, many) = (try #require(MeanEstimate(of: [5])), try #require(MeanEstimate(of: [1, 2, 3])))
    #expect(one.margin(ofDifferenceTo: many) == .infinity && many.margin(ofDifferenceTo: one) == .infinity)
    let equal = try #require(MeanEstimate(of: [2, 2, 2]))
    #expect(equal.margin(ofDifferenceTo: equal) == 0 && equal.smallestDifference(to: equal) == 0)
  }
}
