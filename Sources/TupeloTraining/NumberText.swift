internal import Foundation

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

  package static func grouped(_ value: Double) -> String {
    value.isFinite ? grouped(Int(value.rounded())) : "\(value)"
  }

  /// A share as a percentage: 97.3%.
  package static func percent(_ share: Double) -> String { String(format: "%.1f%%", share * 100) }
}
