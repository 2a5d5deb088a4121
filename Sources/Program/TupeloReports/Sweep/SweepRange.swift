internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloTraining

/// A range of numbers from which a sweep draws the values of a key: `0.01..1`, or `0.01..1@log` for a logarithmic
/// scale, on which 0.01 to 0.1 is as likely as 0.1 to 1.
struct SweepRange: Hashable, Sendable {
  /// The bounds as they were written.
  private let texts: [String]
  private let low: Double
  private let high: Double
  private let isLogarithmic: Bool
  /// Whether the key takes only whole numbers, so that no other numbers are drawn.
  private let isWhole: Bool

  private static let mark = "@log"

  /// - Returns: `nil` for a text that is not a range.
  /// - Throws: a problem for bounds that are not possible.
  init?(_ text: String, key: String) throws(SweepError.Problem) {
    isLogarithmic = text.hasSuffix(Self.mark)
    let bounds = text.dropLast(isLogarithmic ? Self.mark.count : 0).split(separator: "..", maxSplits: 1)
    texts = bounds.map(String.init)
    let numbers = texts.compactMap { DecimalText($0)?.rounded(to: Double.self) }
    guard texts.count == 2, numbers.count == 2 else {
      guard isLogarithmic else { return nil }
      throw .badRange(key: key, text)
    }
    (low, high) = (numbers[0], numbers[1])
    isWhole = ConfigurationKeys.program.named(key)?.expected.hasPrefix("a whole number") ?? false
    guard low < high, low.isFinite, high.isFinite, !isLogarithmic || low > (isWhole ? 0.5 : 0),
      !isWhole || (abs(low) < 1e15 && abs(high) < 1e15 && low.rounded(.up) <= high)
    else { throw .badRange(key: key, text) }
  }

  /// The value at a place in the range, as text: four digits, or a whole number for a key that takes no other.
  ///
  /// - Parameter share: from 0 (the lower bound) to 1 (the upper bound)
  func value(at share: Double) -> String {
    // A whole number stands for all numbers that round to it.
    let (low, high) = isWhole ? (self.low - 0.5, self.high + 0.5) : (self.low, self.high)
    let exact = isLogarithmic ? exp(log(low) + share * (log(high) - log(low))) : low + share * (high - low)
    if isWhole { return "\(Int(min(max(exact.rounded(), self.low.rounded(.up)), self.high.rounded(.down))))" }
    let text = String(format: "%.4g", exact)
    // Rounding must not leave the range.
    guard let rounded = Double(text), rounded >= low else { return texts[0] }
    return rounded > high ? texts[1] : text
  }
}
