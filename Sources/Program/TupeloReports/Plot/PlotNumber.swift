internal import Foundation
internal import TupeloTraining

/// Formats numbers for a plot.
enum PlotNumber {
  private static let prefixes = [(12, "T"), (9, "G"), (6, "M"), (3, "k")]

  /// The exact number `digits` x 10^`exponent` as a label: 20k, 1.5M, 0.25, 2e-7, or a percentage.
  static func label(of digits: Int, exponent: Int, isShare: Bool) -> String {
    guard digits != 0 else { return isShare ? "0%" : "0" }
    var (digits, exponent) = (digits, exponent)
    while digits.isMultiple(of: 10) { (digits, exponent) = (digits / 10, exponent + 1) }
    let sign = digits < 0 ? "−" : ""
    let text = String(digits.magnitude)
    // The power of ten of the first digit.
    let leading = exponent + text.count - 1
    if isShare, (-6...4).contains(leading) { return sign + plain(text, exponent + 2) + "%" }
    switch leading {
    case 3..<15:
      let (power, prefix) = prefixes.first { leading >= $0.0 } ?? (0, "")
      return sign + plain(text, exponent - power) + prefix
    case -4..<3: return sign + plain(text, exponent)
    default: return sign + plain(text, 1 - text.count) + "e\(leading)"
    }
  }

  /// Digits with a decimal point, or with trailing zeros.
  private static func plain(_ digits: String, _ exponent: Int) -> String {
    if exponent >= 0 { return digits + String(repeating: "0", count: exponent) }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return "\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }

  /// A measured value with four significant digits, and its margin to the same decimal place: 68.46k ± 1.34k, 97.4%.
  static func value(_ value: Double, margin: Double? = nil, isShare: Bool) -> String {
    let margin = margin.flatMap { $0.isFinite ? $0 : nil }
    if isShare, abs(value) < 1e6 {
      let texts = ([value] + (margin.map { [$0] } ?? [])).map { fixed($0 * 100, decimals: 1) + "%" }
      return texts.joined(separator: " ± ")
    }
    // Rounding to four digits may reach the next power of ten, and so the next prefix.
    let leading = Int(String(format: "%.3e", value).split(separator: "e").last ?? "") ?? 0
    guard value == 0 || (-4..<15).contains(leading) else {
      return ([value] + (margin.map { [$0] } ?? [])).map { number in
        let parts = String(format: "%.3e", number).split(separator: "e")
        return "\(parts[0])e\(parts.last.flatMap { Int($0) } ?? 0)".replacing("-", with: "−")
      }.joined(separator: " ± ")
    }
    let (power, prefix) = prefixes.first { leading >= $0.0 } ?? (0, "")
    let scale = Double("1e\(power)") ?? 1
    let isWhole = power == 0 && value == value.rounded() && margin == nil
    let decimals = isWhole ? 0 : 3 - (leading - power)
    return ([value] + (margin.map { [$0] } ?? [])).map { fixed($0 / scale, decimals: decimals) + prefix }
      .joined(separator: " ± ")
  }

  private static func fixed(_ value: Double, decimals: Int) -> String {
    NumberText.decimals(value, decimals).replacing("-", with: "−")
  }
}
