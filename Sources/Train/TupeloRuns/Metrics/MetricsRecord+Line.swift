internal import Foundation
internal import TupeloBase
internal import TupeloEvaluation
internal import TupeloTraining

extension MetricsRecord {
  /// Tags whose values a reader wants, and the same tags as bytes.
  package struct Wanted {
    fileprivate let tags: [(name: String, bytes: [UInt8])]

    package init(_ tags: Set<String>) { self.tags = tags.map { ($0, Array($0.utf8)) } }

    fileprivate func name(of key: ArraySlice<UInt8>) -> String? { tags.first { $0.bytes.elementsEqual(key) }?.name }
  }

  /// Reads the record of a line, without its line break.
  ///
  /// Lines in the form that the program writes are read directly, because a run has millions of them. All other lines
  /// are read as JSON.
  ///
  /// - Parameter tags: the tags whose values are wanted; `nil` for all
  package init(line: ArraySlice<UInt8>, tags: Wanted?) throws(MetricsError.LineProblem) {
    var plain = PlainLine(line)
    if let record = plain.record(tags) {
      self = record
    } else {
      try self.init(json: line)
      if let tags { values = values.filter { value in tags.tags.contains { $0.name == value.key } } }
    }
  }

  private init(json line: ArraySlice<UInt8>) throws(MetricsError.LineProblem) {
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

/// A line as the program writes it: an object without spaces, with the four keys of a record first, keys without
/// escapes, and numbers.
private struct PlainLine {
  private let line: ArraySlice<UInt8>
  private var index: Int

  init(_ line: ArraySlice<UInt8>) { (self.line, index) = (line, line.startIndex) }

  /// The record; `nil` for a line of another form, which may still be one.
  mutating func record(_ tags: MetricsRecord.Wanted?) -> MetricsRecord? {
    guard skip("{"), let games = counter(MetricsRecord.Key.games), skip(","),
      let moves = counter(MetricsRecord.Key.moves), skip(","), let seconds = value(MetricsRecord.Key.seconds),
      skip(","), let time = value(MetricsRecord.Key.time)
    else { return nil }
    var record = MetricsRecord(games: games, moves: moves, seconds: seconds, time: time)
    while skip(",") {
      guard let key = key(), let text = number() else { return nil }
      guard let tags else {
        let tag = String(decoding: key, as: UTF8.self)
        guard let value = Self.value(text), record.values.updateValue(value, forKey: tag) == nil else { return nil }
        continue
      }
      if let tag = tags.name(of: key) {
        guard let value = Self.value(text), record.values.updateValue(value, forKey: tag) == nil else { return nil }
      }
    }
    return skip("}") && index == line.endIndex && record.unfitKey == nil ? record : nil
  }

  private mutating func counter(_ name: String) -> Int? { value(name).flatMap { Int(exactly: $0) } }

  private mutating func value(_ name: String) -> Double? {
    guard let key = key(), key.elementsEqual(name.utf8), let text = number() else { return nil }
    return Self.value(text)
  }

  /// The bytes of a key, and its colon.
  private mutating func key() -> ArraySlice<UInt8>? {
    guard skip("\"") else { return nil }
    let start = index
    while index < line.endIndex, line[index] != UInt8(ascii: "\"") {
      // ASCII alone, so that every key is valid UTF-8.
      guard (0x20..<0x7f).contains(line[index]), line[index] != UInt8(ascii: "\\") else { return nil }
      index += 1
    }
    let key = line[start..<index]
    return skip("\"") && skip(":") ? key : nil
  }

  /// The bytes of a number in the grammar of JSON.
  private mutating func number() -> ArraySlice<UInt8>? {
    let start = index
    _ = skip("-")
    if !skip("0") { guard digits() else { return nil } }
    if skip(".") { guard digits() else { return nil } }
    if skip("e") || skip("E") {
      _ = skip("-") || skip("+")
      guard digits() else { return nil }
    }
    return line[start..<index]
  }

  private mutating func digits() -> Bool {
    let start = index
    while index < line.endIndex, (0x30...0x39).contains(line[index]) { index += 1 }
    return index > start
  }

  private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard index < line.endIndex, line[index] == UInt8(ascii: byte) else { return false }
    index += 1
    return true
  }

  private static func value(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.count > 15 || !text.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return Double(text.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
    return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }
}
