internal import Foundation
internal import TupeloTraining

/// An axis: its range, and ticks at round numbers.
public struct PlotScale: Hashable, Sendable {
  public let lower: Double
  public let upper: Double
  /// The 4 to 9 ticks, in ascending order, all within the range.
  public let ticks: [Tick]

  public struct Tick: Hashable, Sendable {
    public let value: Double
    /// The label of the value: 20k, 1.5M, 0.25, 40%.
    public let label: String
  }

  /// The limit of values; values beyond it are drawn at the edge.
  private static let limit = 1e300

  /// - Parameters:
  ///   - range: the range; widened when its ends are too close to be distinguished
  ///   - isShare: whether labels are percentages
  public init(_ range: ClosedRange<Double>, isShare: Bool = false) {
    var lower = Self.clamped(range.lowerBound)
    var upper = Self.clamped(range.upperBound)
    let size = max(abs(lower), abs(upper))
    if size < 1e-290 {
      upper = 1
    } else if upper - lower < size * 1e-9 {
      (lower, upper) = (lower - size * 1e-6, upper + size * 1e-6)
    }
    (self.lower, self.upper) = (lower, upper)
    ticks = Self.ticks(lower, upper, isShare: isShare)
  }

  /// A scale for values from `low` to `high`, with some space around them. It includes 0, unless that would press the
  /// values together at the far end.
  ///
  /// - Parameters:
  ///   - low: the smallest value
  ///   - high: the largest value
  ///   - padding: the share of the range to add at an end that is not 0
  ///   - isShare: whether labels are percentages
  public init(fitting low: Double, _ high: Double, padding: Double, isShare: Bool = false) {
    let (low, high) = (Self.clamped(low), Self.clamped(high))
    let showsZero = low == high || (low >= 0 ? low <= high * 0.6 : high <= 0 && high >= low * 0.6)
    let lower = showsZero ? min(low, 0) : low
    let upper = showsZero ? max(high, 0) : high
    let room = (upper - lower) * padding
    self.init((lower == 0 ? 0 : lower - room)...(upper == 0 ? 0 : upper + room), isShare: isShare)
  }

  /// The position of a value: 0 at the lower end, 1 at the upper end.
  public func position(of value: Double) -> Double {
    (min(max(value, lower), upper) - lower) / (upper - lower)
  }

  private static func clamped(_ value: Double) -> Double {
    value.isNaN ? 0 : min(max(value, -limit), limit)
  }

  /// The ticks, at steps of 1, 2, 2.5 or 5 times a power of ten: the step that gives nearest to six ticks, with 2.5 as
  /// the last choice.
  ///
  /// From one step to the next the factor is at most 2. So where one step gives more than nine ticks, the next one
  /// gives at least four.
  private static func ticks(_ lower: Double, _ upper: Double, isShare: Bool) -> [Tick] {
    let magnitude = Int(log10(upper - lower).rounded(.down))
    var best: (cost: Double, ticks: [Tick]) = (.infinity, [])
    for exponent in magnitude - 3...magnitude - 1 {
      for mantissa in [10, 20, 25, 50] {
        let found = multiples(of: mantissa, exponent, from: lower, to: upper)
        guard (4...9).contains(found.count) else { continue }
        let cost = abs(Double(found.count) - 6) + (mantissa == 25 ? 1.5 : 0)
        if cost < best.cost {
          let labels = found.map { PlotNumber.label(of: $0.digits, exponent: exponent, isShare: isShare) }
          best = (cost, zip(found, labels).map { Tick(value: $0.value, label: $1) })
        }
      }
    }
    return best.ticks
  }

  /// The multiples of `mantissa` x 10^`exponent` within a range, each the number nearest to its decimal text; none when
  /// there are far too many.
  private static func multiples(
    of mantissa: Int, _ exponent: Int, from lower: Double, to upper: Double
  ) -> [(digits: Int, value: Double)] {
    guard let step = Double("\(mantissa)e\(exponent)"), step > 0, (upper - lower) / step < 12 else { return [] }
    let first = Int((lower / step).rounded(.down))
    let last = Int((upper / step).rounded(.up))
    return (first...last).compactMap { multiple in
      guard let value = Double("\(multiple * mantissa)e\(exponent)"), lower <= value, value <= upper else { return nil }
      return (multiple * mantissa, value)
    }
  }
}
