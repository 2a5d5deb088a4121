internal import TupeloTraining

/// A row of the benchmark: it works for a given time and returns how many units it did.
public struct Benchmark: Sendable {
  public let name: String
  /// The unit that is counted, such as "moves".
  public let unit: String
  /// Prepares the row's data and returns its work. The work runs for about the given time and returns the number of
  /// units.
  let prepare: @Sendable (BenchFixtures) throws -> @Sendable (Duration) -> Int

  /// The measured speed of a benchmark.
  public struct Result: Hashable, Sendable, Codable {
    public let name: String
    public let unit: String
    /// The median over slices, in units per second.
    public let median: Double
    public let slowest: Double
    public let fastest: Double
    public let slices: Int

    public init(name: String, unit: String, median: Double, slowest: Double, fastest: Double, slices: Int) {
      self.name = name
      self.unit = unit
      self.median = median
      self.slowest = slowest
      self.fastest = fastest
      self.slices = slices
    }
  }

  /// Measures benchmarks alternately, slice by slice, so that other load on the machine affects all of them alike.
  ///
  /// - Parameters:
  ///   - warmUp: the number of games that each network is trained for before it is measured
  ///   - onStep: called with a short text about the present step
  public static func measure(
    _ benchmarks: [Benchmark], warmUp: Int, slices: Int, slice: Duration, onStep: (String) -> Void = { _ in }
  ) throws -> [Result] {
    let fixtures = BenchFixtures(warmUp: warmUp)
    let works = try benchmarks.map { benchmark in
      onStep("preparing: \(benchmark.name)")
      return try benchmark.prepare(fixtures)
    }
    var rates = [[Double]](repeating: [], count: benchmarks.count)
    let clock = ContinuousClock()
    for round in 0..<slices {
      for (index, work) in works.enumerated() {
        onStep("measuring: \(round * works.count + index)/\(slices * works.count) slices, \(benchmarks[index].name)")
        let start = clock.now
        let units = work(slice)
        rates[index].append(Double(units) / ((clock.now - start) / .seconds(1)))
      }
    }
    return zip(benchmarks, rates).map { benchmark, rates in
      let sorted = rates.sorted()
      return Result(
        name: benchmark.name, unit: benchmark.unit, median: sorted[sorted.count / 2], slowest: sorted[0],
        fastest: sorted[sorted.count - 1], slices: slices)
    }
  }

  /// The benchmarks whose names contain one of the texts, in their own order; all benchmarks when there is no text.
  ///
  /// - Throws: `BenchSelectionError` for a text that no name contains.
  public static func select(_ benchmarks: [Benchmark], only texts: [String]) throws(BenchSelectionError) -> [Benchmark]
  {
    for text in texts where !benchmarks.contains(where: { $0.name.contains(text) }) {
      throw BenchSelectionError(text: text, names: benchmarks.map(\.name))
    }
    return texts.isEmpty ? benchmarks : benchmarks.filter { row in texts.contains { row.name.contains($0) } }
  }
}

/// A text is in the name of no benchmark row.
public struct BenchSelectionError: Error, Hashable, Sendable, CustomStringConvertible {
  public let text: String
  /// The names of all rows.
  public let names: [String]

  public var description: String {
    "no row of the benchmark has '\(text)' in its name: there are \(names.joined(separator: "; "))"
  }
}
