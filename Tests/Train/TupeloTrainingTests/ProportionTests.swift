import Testing
import TupeloTraining

/// Intervals of shares.
@Suite struct ProportionTests {
  /// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3 (Wilson's score).
  @Test(arguments: [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718),
  ]) func intervalsAreThePublishedOnes(_ count: Int, _ total: Int, _ low: Double, _ high: Double) {
    let interval = Proportion(count: count, of: total).interval
    #expect(abs(interval.lowerBound - low) < 5e-5 && abs(interval.upperBound - high) < 5e-5, "\(interval)")
    let other = Proportion(count: total - count, of: total).interval
    #expect(abs(other.lowerBound - (1 - high)) < 5e-5 && abs(other.upperBound - (1 - low)) < 5e-5, "\(other)")
  }
}
