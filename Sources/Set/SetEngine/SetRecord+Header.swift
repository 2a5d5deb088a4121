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
    let object = try object(line)
    return KindFields(
      tupelo_set_record: try object.number("tupelo_set_record"), tupelo_record: try object.number("tupelo_record"))
  }

  static func fields(of line: String) throws(SetRecordError) -> HeaderFields {
    let object = try object(line)
    guard let format: Int = try object.number("tupelo_set_record"), let features: Int = try object.number("features"),
      let table: Int = try object.number("table"), let start = try object.text("start"),
      let agent = try object.text("agent")
    else { throw .badHeader(expected) }
    return HeaderFields(
      tupelo_set_record: format, features: features, table: table, start: start, agent: agent,
      model: try object.text("model"), seed: try object.number("seed"), game: try object.number("game"))
  }

  private static func object(_ line: String) throws(SetRecordError) -> JSONObject {
    guard let object = JSONObject(line) else { throw .badHeader(expected) }
    return object
  }
}

extension JSONObject {
  /// The whole number of a key; `nil` if the key is missing.
  fileprivate func number<Number: FixedWidthInteger>(_ key: String) throws(SetRecordError) -> Number? {
    switch self[key] {
    case .none, .null: return nil
    case .number(let digits):
      guard let number = Number(digits) else { throw .badHeader(SetRecord.expected) }
      return number
    case .text, .other: throw .badHeader(SetRecord.expected)
    }
  }

  /// The text of a key; `nil` if the key is missing.
  fileprivate func text(_ key: String) throws(SetRecordError) -> String? {
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
    var members = ["\"agent\":\(JSONObject.quoted(agent))", "\"features\":\(features)"]
    if let game { members.append("\"game\":\(game)") }
    if let model { members.append("\"model\":\(JSONObject.quoted(model))") }
    if let seed { members.append("\"seed\":\(seed)") }
    members += [
      "\"start\":\(JSONObject.quoted(start))", "\"table\":\(table)", "\"tupelo_set_record\":\(tupelo_set_record)",
    ]
    return "{" + members.joined(separator: ",") + "}"
  }
}
