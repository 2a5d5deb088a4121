internal import Foundation
internal import TupeloTraining

/// Formats numbers for people.
enum Format {
  /// A number with separated thousands: 12,345.
  static func grouped(_ value: Int) -> String { NumberText.grouped(value) }
  static func grouped(_ value: Double) -> String { NumberText.grouped(value) }
  static func grouped(_ value: Double, digits: Int) -> String { NumberText.grouped(value, digits: digits) }

  /// A number with its noun: `1 game`, `12,345 games`.
  static func counted(_ count: Int, _ noun: String) -> String { NumberText.counted(count, noun) }

  /// 12345
  static func whole(_ value: Double) -> String { NumberText.whole(value) }

  /// A share as a percentage: 97.3%.
  static func percent(_ share: Double) -> String { NumberText.percent(share) }

  /// A size: 268 MB.
  static func bytes(_ count: Int) -> String { NumberText.bytes(count) }

  /// With a number of digits after the point: -12.34, and never -0.00.
  static func decimals(_ value: Double, _ digits: Int) -> String { NumberText.decimals(value, digits) }

  /// A duration: 1:02:03 or 2:03.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "?" }
    let whole = Int(seconds.rounded())
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
  }

  /// A list of facts, with line breaks after commas where a line would be wider than 80 columns. Further lines are
  /// indented.
  static func wrapped(_ text: String, indent: String = "  ", width: Int = 80) -> String {
    var lines: [String] = []
    for part in text.components(separatedBy: ", ") {
      // A comma may follow.
      if let last = lines.last, last.count + 2 + part.count < width {
        lines[lines.count - 1] += ", " + part
      } else {
        lines.append(lines.isEmpty ? part : indent + part)
      }
    }
    return lines.joined(separator: ",\n")
  }

  /// Words in lines of at most 80 columns. Further lines are indented. Spaces at the beginning and between words stay.
  static func paragraph(_ text: String, indent: String = "", width: Int = 80) -> String {
    var lines: [String] = []
    for word in text.components(separatedBy: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(lines.isEmpty ? word : indent + word)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The fields of a line that fit a width, in their order. Fields are separated by two spaces. None is cut: the
  /// beginning of a number would be another number.
  static func fields(of line: String, within width: Int) -> String {
    line.components(separatedBy: "  ").reduce("") { shown, field in
      let longer = shown.isEmpty ? field : shown + "  " + field
      return longer.count <= width ? longer : shown
    }
  }

  static func padded(_ text: String, to width: Int) -> String {
    text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
  }
}
