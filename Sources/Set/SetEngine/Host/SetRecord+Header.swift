#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// The JSON of a record's first line. A page has no Foundation. There `SetRecord+Header+Embedded.swift` replaces this
// file.

extension SetRecord {
  /// The keys that say what kind of record this is.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct KindFields: Decodable {
    var tupelo_set_record: Int?
    /// The key of a record of 2048.
    var tupelo_record: Int?
  }

  /// The header's keys in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct HeaderFields: Codable {
    var tupelo_set_record: Int
    var features: Int
    var table: Int
    var start: String
    var agent: String
    var model: String?
    var seed: UInt64?
    var game: UInt64?
  }

  static func kind(of line: String) throws(SetRecordError) -> KindFields { try decode(KindFields.self, from: line) }

  static func fields(of line: String) throws(SetRecordError) -> HeaderFields {
    try decode(HeaderFields.self, from: line)
  }

  private static func decode<Fields: Decodable>(_: Fields.Type, from line: String) throws(SetRecordError) -> Fields {
    do {
      return try JSONDecoder().decode(Fields.self, from: Data(line.utf8))
    } catch {
      throw .badHeader(expected)
    }
  }
}

extension SetRecord.HeaderFields {
  /// The fields in one line, in the order of their names.
  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    } catch {
      preconditionFailure("numbers and texts encode: \(error)")
    }
  }
}
