package import Foundation

/// One line of metrics.jsonl: a JSON object of numbers.
package struct MetricsLine: Decodable {
  /// The numbers by key. Other writers use `null` for a missing number, so it is accepted and left out.
  package let numbers: [String: Double]
  /// The first key, in alphabetical order, whose value is not a number.
  let foreignKey: String?

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

extension MetricsRecord {
  /// Reads the record of a line, without its line break.
  init(line: ArraySlice<UInt8>) throws(MetricsError.LineProblem) {
    let content: MetricsLine
    do {
      content = try MetricsLine(Data(line))
    } catch {
      throw .notJSON
    }
    if let key = content.foreignKey { throw .notANumber(key: key) }
    var tags = content.numbers
    func take(_ key: String) throws(MetricsError.LineProblem) -> Double {
      guard let value = tags.removeValue(forKey: key) else { throw .missing(key: key) }
      return value
    }
    func takeCounter(_ key: String) throws(MetricsError.LineProblem) -> Int {
      guard let count = Int(exactly: try take(key)), (0...Self.counterLimit).contains(count) else {
        throw .notACounter(key: key)
      }
      return count
    }
    let (games, moves) = (try takeCounter(Key.games), try takeCounter(Key.moves))
    let (seconds, time) = (try take(Key.seconds), try take(Key.time))
    self.init(games: games, moves: moves, seconds: seconds, time: time, values: tags)
  }
}
