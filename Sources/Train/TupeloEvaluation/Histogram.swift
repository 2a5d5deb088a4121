/// Counts values in buckets, for TensorBoard's histograms. Adding a value allocates nothing.
public struct Histogram: Hashable, Sendable {
  /// The upper limits of the buckets: bucket i counts values v with limits[i - 1] <= v < limits[i]. The first bucket
  /// has no lower limit and the last one no upper limit.
  public let limits: [Double]
  public private(set) var counts: [Int]
  public private(set) var min = Double.infinity
  public private(set) var max = -Double.infinity
  public private(set) var sum = 0.0
  public private(set) var sumOfSquares = 0.0
  public private(set) var count = 0

  /// - Parameter limits: in ascending order; `nil` for `standardLimits`
  public init(limits: [Double]? = nil) {
    let inner = limits ?? Self.standardLimits
    precondition(zip(inner, inner.dropFirst()).allSatisfy { $0 < $1 }, "limits must ascend")
    self.limits = inner.last == .greatestFiniteMagnitude ? inner : inner + [.greatestFiniteMagnitude]
    counts = [Int](repeating: 0, count: self.limits.count)
  }

  /// Limits for weights and scores in score points: eight buckets per power of ten from 0.001 to 10^7, equal buckets
  /// for negative values, and one bucket around 0.
  public static let standardLimits: [Double] = {
    let positive = (0...80).map { step in Self.power(of: step) }
    return positive.reversed().map(-) + positive
  }()

  /// 10^(step / 8 - 3).
  private static func power(of step: Int) -> Double {
    var value = 0.001
    for _ in 0..<(step / 8) { value *= 10 }
    let eighth = 10.0.squareRoot().squareRoot().squareRoot()
    for _ in 0..<(step % 8) { value *= eighth }
    return value
  }

  /// Counts a value. Values that are not finite are ignored.
  public mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    // The first limit above the value.
    var (low, high) = (0, limits.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if limits[middle] > value { high = middle } else { low = middle + 1 }
    }
    counts[low] += 1
    count += 1
    min = Swift.min(min, value)
    max = Swift.max(max, value)
    sum += value
    sumOfSquares += value * value
  }
}
