internal import TupeloBase

/// A way to choose the variants of a sweep from the values of its axes.
public enum SweepEnumeration: Hashable, Sendable {
  /// Every combination of one value per axis, the last axis changing fastest.
  case grid
  /// Combinations that are drawn at random: a value of each list with equal probability, and a number of each range. A
  /// longer list of one seed begins with a shorter one.
  case random(draws: Int, seed: UInt64)

  /// The most variants that the axes can give.
  func count(of axes: [SweepAxis]) -> Int {
    switch self {
    case .grid: axes.reduce(1) { min($0 * $1.values.count, SweepPlan.mostRuns + 1) }
    case .random(let draws, _): draws
    }
  }

  /// The values of each variant, in the order of the axes.
  func choices(of axes: [SweepAxis]) throws(SweepError.Problem) -> [[String]] {
    switch self {
    case .grid:
      if let axis = axes.first(where: { $0.range != nil }) { throw .rangeWithoutDraws(key: axis.key) }
      return axes.reduce([[]]) { choices, axis in choices.flatMap { choice in axis.values.map { choice + [$0] } } }
    case .random(let draws, let seed):
      guard !axes.isEmpty else { throw .drawsOfNothing }
      return try Self.drawn(draws, from: axes, seed: seed)
    }
  }

  /// Distinct combinations. It is a problem if the axes seem to have fewer than are asked for.
  private static func drawn(
    _ count: Int, from axes: [SweepAxis], seed: UInt64
  ) throws(SweepError.Problem) -> [[String]] {
    var drawn: [[String]] = []
    var seen: Set<[String]> = []
    // Each attempt has a stream of its own, so that a longer list begins with a shorter one.
    for attempt in 0..<(100 * count + 1000) where drawn.count < count {
      var random = RandomStream(seed: seed, stream: UInt64(attempt))
      let choice = axes.map { $0.drawn(using: &random) }
      if seen.insert(choice).inserted { drawn.append(choice) }
    }
    guard drawn.count == count else { throw .tooFewVariants(found: drawn.count, asked: count) }
    return drawn
  }
}

extension SweepAxis {
  /// A value at random.
  fileprivate func drawn(using random: inout RandomStream) -> String {
    guard let range else { return values[random.next(below: values.count)] }
    return range.value(at: Double(random.next() >> 11) / Double(1 << 53))
  }
}
