import Foundation
import Testing
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
    #expect(equal.margin(ofDifferenceTo: equal) == 0)
  }
}
