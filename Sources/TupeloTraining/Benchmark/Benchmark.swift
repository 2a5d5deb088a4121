/// One thing whose speed is measured: it works for a while and says how much it did.
public struct Benchmark: Sendable {
  public let name: String
  /// What it counts, such as "moves".
  public let unit: String
  /// Works for about the given time; returns how many units were done.
  let work: @Sendable (Duration) -> Int

  /// The measured speed of a benchmark.
  public struct Result: Hashable, Sendable, Codable {
    public let name: String
    public let unit: String
    /// Units per second, the median over slices.
    public let median: Double
    public let slowest: Double
    public let fastest: Double
    public let slices: Int
  }

  /// Measures benchmarks in turn, slice by slice, so that whatever else the machine does falls on all of them alike.
  ///
  /// - Parameter onSlice: told what has been measured, as (slices done, slices in all).
  public static func measure(
    _ benchmarks: [Benchmark], slices: Int, slice: Duration, onSlice: (Int, Int) -> Void = { _, _ in }
  ) -> [Result] {
    var rates = [[Double]](repeating: [], count: benchmarks.count)
    let clock = ContinuousClock()
    for round in 0..<slices {
      for (index, benchmark) in benchmarks.enumerated() {
        let start = clock.now
        let units = benchmark.work(slice)
        rates[index].append(Double(units) / ((clock.now - start) / .seconds(1)))
        onSlice(round * benchmarks.count + index + 1, slices * benchmarks.count)
      }
    }
    return zip(benchmarks, rates).map { benchmark, rates in
      let sorted = rates.sorted()
      return Result(
        name: benchmark.name, unit: benchmark.unit, median: sorted[sorted.count / 2], slowest: sorted[0],
        fastest: sorted[sorted.count - 1], slices: slices)
    }
  }
}
