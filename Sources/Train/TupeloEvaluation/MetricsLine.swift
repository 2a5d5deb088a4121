package import Foundation

/// One line of metrics.jsonl: a JSON object of numbers.
package struct MetricsLine: Decodable {
  /// The numbers by key. Other writers use `null` for a missing number, so it is accepted and left out.
  package let numbers: [String: Double]
  /// The first key, in alphabetical order, whose value is not a number.
  package let foreignKey: String?

  /// - Throws: `DecodingError` when the line is not a JSON object.
  package init(_ line: Data) throws { self = try JSONDecoder().decode(Self.self, from: line) }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.singleValueContainer().decode([String: Value].self)
    numbers = values.compactMapValues { if case .number(let number) = $0 { number } else { nil } }
    foreignKey = values.filter { $0.value == .other }.keys.min()
  }

  private enum Value: Decodable, Equatable {
    case number(Double)
    case null
    case other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
        return
      }
      do {
        let number = try container.decode(Double.self)
        self = number.isFinite ? .number(number) : .other
      } catch {
        self = .other
      }
    }
  }
}
