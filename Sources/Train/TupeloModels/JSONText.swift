internal import Foundation

/// Writes JSON with sorted keys, without a newline at the end: pretty, with a line for each value, or in one line.
package enum JSONText {
  /// The text of an object.
  ///
  /// - Parameter escapesSlashes: whether a slash is written as `\/`
  /// - Throws: the error of `JSONSerialization`, such as for a number that is not finite
  package static func pretty(_ fields: [String: Any], escapesSlashes: Bool = true) throws -> String {
    var options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys]
    if !escapesSlashes { options.insert(.withoutEscapingSlashes) }
    return String(decoding: try JSONSerialization.data(withJSONObject: fields, options: options), as: UTF8.self)
  }

  /// The text of a value. Slashes are not escaped.
  ///
  /// - Precondition: the value can be encoded: its numbers are finite.
  package static func pretty(_ value: some Encodable) -> String { text(value, .prettyPrinted) }

  /// The text of a value in one line. Slashes are not escaped.
  ///
  /// - Precondition: the value can be encoded: its numbers are finite.
  package static func line(_ value: some Encodable) -> String { text(value, []) }

  private static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      preconditionFailure("finite numbers and texts encode: \(error)")
    }
  }
}
