internal import Foundation
internal import TupeloBase

/// Formats numbers for people.
package enum NumberText {
  /// A number with separated thousands: 12,345.
  package static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    let groups = stride(from: digits.count, to: 0, by: -3).map { end in
      String(digits.dropFirst(max(end - 3, 0)).prefix(min(end, 3)))
    }
    return (value < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// A number with its noun: `1 game`, `12,345 games`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)" + CountText.ending(count)
  }

  /// Rounded, with thousands separated. Numbers from 10^15 on, which no score or count reaches, are written in powers
  /// of ten: `1.20e+19`.
  package static func grouped(_ value: Double) -> String {
    isWhole(value) ? grouped(Int(value.rounded())) : power(value)
  }

  /// Rounded, without separators: 12345. Numbers from 10^15 on are written in powers of ten.
  package static func whole(_ value: Double) -> String {
    isWhole(value) ? String(Int(value.rounded())) : power(value)
  }

  /// Whether a number is small enough to be written out.
  private static func isWhole(_ value: Double) -> Bool { abs(value) < 1e15 }

  private static func power(_ value: Double) -> String { value.isFinite ? String(format: "%.2e", value) : "\(value)" }

  /// Rounded to a number of digits after the point: 25.567, and never -0.000.
  package static func decimals(_ value: Double, _ digits: Int) -> String {
    guard isWhole(value) else { return power(value) }
    let text = String(format: "%.\(digits)f", value)
    return text.allSatisfy { "-0.".contains($0) } ? text.replacing("-", with: "") : text
  }

  /// Rounded to a number of digits after the point, with thousands separated: 5,468.49.
  package static func grouped(_ value: Double, digits: Int) -> String {
    guard isWhole(value), digits > 0 else { return grouped(value) }
    let parts = decimals(value.magnitude, digits).split(separator: ".")
    let text = ([grouped(Int(parts[0]) ?? 0)] + parts.dropFirst().map(String.init)).joined(separator: ".")
    return (decimals(value, digits).hasPrefix("-") ? "-" : "") + text
  }

  /// A size: 268 MB.
  package static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1_000_000: String(format: "%.0f kB", (Double(count) / 1e3).rounded(.up))
    case ..<1_000_000_000: String(format: "%.0f MB", Double(count) / 1e6)
    default: String(format: "%.2f GB", Double(count) / 1e9)
    }
  }

  /// 97.3%
  package static func percent(_ share: Double) -> String { decimals(share * 100, 1) + "%" }
}
