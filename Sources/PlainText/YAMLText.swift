/// Writing YAML that every reader takes for the same.
package enum YAMLText {
  /// A double-quoted scalar, so that `012345`, `no` and `1e5` stay texts.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      // A star is escaped too, for the count of aliases does not look where it stands.
      case _ where Spelling.isPrintable(scalar) && scalar != "*": quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return quoted + "\""
  }
}
