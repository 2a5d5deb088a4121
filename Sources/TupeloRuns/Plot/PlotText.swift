internal import PlainText
internal import TupeloTraining

/// Text in a picture: how wide it will be, shortened to fit, and escaped.
enum PlotText {
  /// An upper bound for usual sans-serif fonts, which are all narrower than this; which one will be there is not known.
  static func width(of text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + advance(of: $1) } * size
  }

  private static func advance(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", "t", "f", "r", ".", ",", ":", ";", "'", "!", "|", " ", "(", ")", "[", "]", "/": 0.42
    case "m", "w", "M", "W", "@", "%": 0.99
    case "A"..."Z": 0.75
    case _ where scalar.value < 0x2e80: 0.66
    default: 1.1
    }
  }

  /// The text itself, or as much of its beginning and end as fits with an ellipsis between.
  static func shortened(_ text: String, size: Double, to limit: Double) -> String {
    guard width(of: text, size: size) > limit else { return text }
    let characters = Array(text)
    for kept in stride(from: min(characters.count - 1, Int(limit)), through: 2, by: -1) {
      let shown = String(characters.prefix((kept + 1) / 2)) + "…" + String(characters.suffix(kept / 2))
      if width(of: shown, size: size) <= limit { return shown }
    }
    return "…"
  }

  /// The words of a text in at most `count` lines, the last one shortened if it must be.
  static func lines(_ text: String, size: Double, width limit: Double, atMost count: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if let last = lines.last, lines.count == count || width(of: "\(last) \(word)", size: size) <= limit {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.map { shortened($0, size: size, to: limit) }
  }

  /// Fit to stand in XML, as text and in an attribute: what XML 1.0 cannot hold at all is replaced, and so are marks
  /// that turn the direction of writing.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _ where Spelling.isPrintable(scalar): result.unicodeScalars.append(scalar)
      default: result += "\u{fffd}"
      }
    }
    return result
  }
}
