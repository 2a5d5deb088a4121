/// The texts and numbers of one JSON object (RFC 8259). Arrays and objects within it are checked and not kept.
struct JSONObject {
  enum Value {
    case text(String)
    /// A number as it is written.
    case number(String)
    case null
    /// `true`, `false`, an array or an object.
    case other
  }

  private var members: [(key: String, value: Value)] = []

  /// - Returns: `nil` for a text that is not a JSON object.
  init?(_ text: String) {
    var reader = JSONReader(Array(text.utf8))
    reader.skipSpace()
    guard let members = reader.members(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.isAtEnd else { return nil }
    self.members = members
  }

  /// The value of a key; `nil` if the key is missing.
  subscript(key: String) -> Value? { members.first { $0.key == key }?.value }

  /// A text as a JSON string.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{8}": quoted += "\\b"
      case "\t": quoted += "\\t"
      case "\n": quoted += "\\n"
      case "\u{c}": quoted += "\\f"
      case "\r": quoted += "\\r"
      case "\u{0}"..."\u{1f}": quoted += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// Reads JSON from its bytes, which are UTF-8.
private struct JSONReader {
  private let bytes: [UInt8]
  private var at = 0

  /// Objects and arrays within each other: more are refused.
  private static let largestDepth = 64

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }
  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { at += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { buffer in unsafe buffer.allSatisfy { take($0) } }
  }

  /// The members of an object; `nil` if there is no object here.
  mutating func members(depth: Int) -> [(key: String, value: JSONObject.Value)]? {
    guard depth < Self.largestDepth, take(0x7b) else { return nil }
    var members: [(key: String, value: JSONObject.Value)] = []
    skipSpace()
    if take(0x7d) { return members }
    repeat {
      skipSpace()
      guard let key = text() else { return nil }
      skipSpace()
      guard take(0x3a), let value = value(depth: depth + 1) else { return nil }
      members.append((key: key, value: value))
    } while take(0x2c)
    return take(0x7d) ? members : nil
  }

  private mutating func isArray(depth: Int) -> Bool {
    guard depth < Self.largestDepth, take(0x5b) else { return false }
    skipSpace()
    if take(0x5d) { return true }
    repeat {
      guard value(depth: depth + 1) != nil else { return false }
    } while take(0x2c)
    return take(0x5d)
  }

  /// A value with the space around it.
  private mutating func value(depth: Int) -> JSONObject.Value? {
    skipSpace()
    defer { skipSpace() }
    switch next {
    case 0x22: return text().map { .text($0) }
    case 0x7b: return members(depth: depth) == nil ? nil : .other
    case 0x5b: return isArray(depth: depth) ? .other : nil
    case 0x6e: return take("null") ? .null : nil
    case 0x74: return take("true") ? .other : nil
    case 0x66: return take("false") ? .other : nil
    default: return number().map { .number($0) }
    }
  }

  private mutating func digits() -> Bool {
    let start = at
    while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    return at > start
  }

  private mutating func number() -> String? {
    let start = at
    _ = take(0x2d)
    guard take(0x30) || digits() else { return nil }
    if take(0x2e), !digits() { return nil }
    if take(0x65) || take(0x45) {
      _ = take(0x2b) || take(0x2d)
      guard digits() else { return nil }
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func text() -> String? {
    guard take(0x22) else { return nil }
    var result: [UInt8] = []
    while let byte = next, byte >= 0x20 {
      at += 1
      switch byte {
      case 0x22: return String(decoding: result, as: UTF8.self)
      case 0x5c:
        guard let bytes = escape() else { return nil }
        result += bytes
      default: result.append(byte)
      }
    }
    return nil
  }

  /// Reads the part of an escape after its backslash.
  private mutating func escape() -> [UInt8]? {
    guard let byte = next else { return nil }
    at += 1
    switch byte {
    case 0x22, 0x5c, 0x2f: return [byte]
    case 0x62: return [0x08]
    case 0x66: return [0x0c]
    case 0x6e: return [0x0a]
    case 0x72: return [0x0d]
    case 0x74: return [0x09]
    case 0x75: return scalar().map { Array(String(Character($0)).utf8) }
    default: return nil
    }
  }

  private mutating func scalar() -> Unicode.Scalar? {
    guard let first = unit() else { return nil }
    guard (0xd800..<0xdc00).contains(first) else { return Unicode.Scalar(first) }
    guard take(0x5c), take(0x75), let second = unit(), (0xdc00..<0xe000).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
  }

  /// Four hex digits.
  private mutating func unit() -> UInt32? {
    guard at + 4 <= bytes.count else { return nil }
    defer { at += 4 }
    var unit: UInt32 = 0
    for byte in bytes[at..<at + 4] {
      switch byte {
      case 0x30...0x39: unit = unit << 4 | UInt32(byte - 0x30)
      case 0x41...0x46, 0x61...0x66: unit = unit << 4 | UInt32((byte & 0x5f) - 0x37)
      default: return nil
      }
    }
    return unit
  }
}
