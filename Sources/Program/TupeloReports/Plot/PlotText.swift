internal import TupeloBase
internal import TupeloTraining

/// Measures, shortens and escapes text for a picture.
enum PlotText {
  /// An upper bound of a text's width. The reader's font is not known, but usual sans-serif fonts are all narrower.
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

  /// The text, or its beginning and end with an ellipsis between them, so that it fits.
  static func shortened(_ text: String, size: Double, to limit: Double) -> String {
    guard width(of: text, size: size) > limit else { return text }
    let characters = Array(text)
    for kept in stride(from: min(characters.count - 1, Int(limit)), through: 2, by: -1) {
      let shown = String(characters.prefix((kept + 1) / 2)) + "…" + String(characters.suffix(kept / 2))
      if width(of: shown, size: size) <= limit { return shown }
    }
    return "…"
  }

  /// The words of a text in at most `count` lines; the last line is shortened if needed.
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

  /// A text escaped for XML, as content and in attributes. Characters that XML 1.0 cannot hold are replaced, and so are
  /// marks that change the direction of writing.
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
