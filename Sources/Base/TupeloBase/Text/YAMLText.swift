/// Writes YAML that every reader understands in the same way.
package enum YAMLText {
  /// A double-quoted scalar, so that `012345`, `no` and `1e5` stay texts.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where Spelling.isPrintable(scalar): quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return quoted + "\""
  }

  /// A floating-point number with a point. YAML 1.1 takes `1e-05` for a text; `1.0e-05` is a number in all versions.
  package static func number(_ value: some BinaryFloatingPoint & LosslessStringConvertible) -> String {
    let text = "\(value)"
    guard let exponent = text.firstIndex(of: "e"), !text.contains(".") else { return text }
    return text[..<exponent] + ".0" + text[exponent...]
  }
}
