internal import Foundation

/// Student's t distribution, for intervals of means of few numbers.
package enum StudentT {
  /// The 97.5% quantile: half the width of a 95% interval of a mean, in standard errors.
  ///
  /// Below twelve degrees of freedom it comes from the distribution function, which is a finite sum (Abramowitz &
  /// Stegun 1964, 26.7.3 and 26.7.4). From twelve on it comes from the expansion in 1 / degrees (26.7.5), whose error
  /// is less than 0.00001.
  ///
  /// - Parameter degrees: the degrees of freedom, one less than the number of values; the result is infinite for less
  ///   than one
  package static func quantile(degrees: Int) -> Double {
    guard degrees > 0 else { return .infinity }
    return degrees < 12 ? exactQuantile(degrees) : expandedQuantile(Double(degrees))
  }

  /// The quantile by bisection, to the last bits.
  private static func exactQuantile(_ degrees: Int) -> Double {
    var (low, high) = (1.9, 13.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if probability(within: middle, degrees) < 0.95 { low = middle } else { high = middle }
    }
    return low
  }

  /// The probability of a number in -t...t.
  private static func probability(within t: Double, _ degrees: Int) -> Double {
    let angle = atan(t / Double(degrees).squareRoot())
    let (sine, cosine) = (sin(angle), cos(angle))
    let isOdd = !degrees.isMultiple(of: 2)
    // The series is cos + 2/3 cos^3 + 2/3 4/5 cos^5 + ... for odd and 1 + 1/2 cos^2 + 1/2 3/4 cos^4 + ... for even
    // degrees.
    var (term, sum) = (isOdd ? cosine : 1, 0.0)
    for power in stride(from: isOdd ? 1 : 0, through: degrees - 2, by: 2) {
      sum += term
      term *= cosine * cosine * Double(power + 1) / Double(power + 2)
    }
    return isOdd ? 2 / .pi * (angle + sine * sum) : sine * sum
  }

  private static func expandedQuantile(_ degrees: Double) -> Double {
    let z = 1.959_963_984_540_054
    let square = z * z
    let terms = [
      z,
      z * (square + 1) / 4,
      z * ((5 * square + 16) * square + 3) / 96,
      z * (((3 * square + 19) * square + 17) * square - 15) / 384,
      z * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    ]
    return terms.reversed().reduce(0) { $0 / degrees + $1 }
  }
}
