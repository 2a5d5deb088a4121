internal import Safetensors

// The JSON of a record's first line, in the program and in a page, which has no Foundation.

extension SetRecord {
  /// The keys that say what kind of record this is.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct KindFields {
    var tupelo_set_record: Int?
    /// The key of a record of 2048.
    var tupelo_record: Int?
  }

  /// The header's keys in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct HeaderFields {
    var tupelo_set_record: Int
    var features: Int
    var table: Int
    var start: String
    var agent: String
    var model: String?
    var seed: UInt64?
    var game: UInt64?
  }

  static func kind(of line: String) throws(SetRecordError) -> KindFields {
    let object = try Members(line)
    return KindFields(
      tupelo_set_record: try object.number("tupelo_set_record"), tupelo_record: try object.number("tupelo_record"))
  }

  static func fields(of line: String) throws(SetRecordError) -> HeaderFields {
    let object = try Members(line)
    guard let format: Int = try object.number("tupelo_set_record"), let features: Int = try object.number("features"),
      let table: Int = try object.number("table"), let start = try object.text("start"),
      let agent = try object.text("agent")
    else { throw .badHeader(expected) }
    return HeaderFields(
      tupelo_set_record: format, features: features, table: table, start: start, agent: agent,
      model: try object.text("model"), seed: try object.number("seed"), game: try object.number("game"))
  }
}

/// The texts and numbers of one JSON object.
private struct Members {
  private var keys: [String] = []
  private var values: [JSONValue] = []

  init(_ line: String) throws(SetRecordError) {
    do {
      var cursor = JSONCursor(Array(line.utf8))
      cursor.skipSpace()
      try cursor.enterObject()
      while let (key, _) = try cursor.nextKey() {
        keys.append(key)
        values.append(try cursor.readValue())
      }
      try cursor.readEnd()
    } catch {
      throw .badHeader(SetRecord.expected)
    }
  }

  private subscript(key: String) -> JSONValue? { keys.firstIndex(of: key).map { values[$0] } }

  /// The whole number of a key; `nil` if the key is missing.
  func number<Number: FixedWidthInteger>(_ key: String) throws(SetRecordError) -> Number? {
    switch self[key] {
    case .none, .null: return nil
    case .number(let digits):
      guard let number = Number(digits) else { throw .badHeader(SetRecord.expected) }
      return number
    case .text, .other: throw .badHeader(SetRecord.expected)
    }
  }

  /// The text of a key; `nil` if the key is missing.
  func text(_ key: String) throws(SetRecordError) -> String? {
    switch self[key] {
    case .none, .null: return nil
    case .text(let text): return text
    case .number, .other: throw .badHeader(SetRecord.expected)
    }
  }
}

extension SetRecord.HeaderFields {
  /// The fields in one line, in the order of their names.
  var line: String {
    var members = ["\"agent\":\(agent.jsonLiteral)", "\"features\":\(features)"]
    if let game { members.append("\"game\":\(game)") }
    if let model { members.append("\"model\":\(model.jsonLiteral)") }
    if let seed { members.append("\"seed\":\(seed)") }
    members += [
      "\"start\":\(start.jsonLiteral)", "\"table\":\(table)", "\"tupelo_set_record\":\(tupelo_set_record)",
    ]
    return "{" + members.joined(separator: ",") + "}"
  }
}
