internal import TupeloBase

/// Reads JSON from left to right. The caller follows the grammar and requests each part in turn: an object, a string.
///
/// For a header the cursor is stricter than JSON. Numbers are non-negative integers without leading zeros. Null, true
/// and false are refused, because a header has none. Each byte is read a bounded number of times. Only the strings and
/// numbers of the header are allocated. Nothing recurses: a value that is nested deeper than the caller requests is
/// refused at its first bracket. `readValue` reads other JSON.
package struct JSONCursor {
  /// The path of the file and, below it, the offset of the first byte in it; both for messages.
  private let path: String
  private let base: Int
  private let bytes: [UInt8]
  private var index = 0
  /// Whether the last byte that was read began an object or an array.
  private var isAtStart = false

  /// - Parameters:
  ///   - bytes: the text in UTF-8
  ///   - path: the path of the file, for errors
  ///   - base: the offset of the text in the file
  package init(_ bytes: [UInt8], path: String = "", base: Int = 0) {
    self.bytes = bytes
    self.path = path
    self.base = base
  }

  /// The offset of the next byte in the file.
  var offset: Int { base + index }

  /// Reads the beginning of an object. `nextKey` reads its members.
  package mutating func enterObject() throws(SafetensorsError) { try enter("{", name: "an object") }

  /// Reads the next key of an object up to its value, which the caller reads, or the end of the object.
  ///
  /// - Returns: the key and its offset in the file; `nil` at the end
  package mutating func nextKey() throws(SafetensorsError) -> (key: String, offset: Int)? {
    guard try hasNext(before: "}") else { return nil }
    let offset = offset
    let key = try readString()
    try expect(":")
    skipSpace()
    return (key, offset)
  }

  /// Reads an array of non-negative integers.
  mutating func readIntegers() throws(SafetensorsError) -> [Int] {
    var integers: [Int] = []
    try enter("[", name: "an array")
    while try hasNext(before: "]") { integers.append(try readInteger()) }
    return integers
  }

  /// Reads one non-negative integer that fits an `Int`.
  mutating func readInteger() throws(SafetensorsError) -> Int {
    let start = index
    var value = 0
    while let digit = peek(), digit >= "0", digit <= "9" {
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(Int(digit.value - 0x30))
      guard !overflow, !carry else {
        throw fault(at: start, expected: "an integer below 2^63", found: "a larger one")
      }
      value = sum
      index += 1
    }
    guard index > start else { throw fault(expected: "a non-negative integer") }
    if bytes[start] == UInt8(ascii: "0"), index - start > 1 {
      throw fault(at: start, expected: "an integer", found: "one with a leading zero")
    }
    if let next = peek(), next == "." || next == "e" || next == "E" {
      throw fault(at: start, expected: "an integer", found: "a number with a fraction or an exponent")
    }
    return value
  }

  /// Reads the end of the text: only blanks may follow the last value.
  package mutating func readEnd() throws(SafetensorsError) {
    skipSpace()
    guard index == bytes.count else { throw fault(expected: "nothing but spaces after the last }") }
  }

  private mutating func enter(_ bracket: Unicode.Scalar, name: String) throws(SafetensorsError) {
    guard peek() == bracket else { throw fault(expected: name) }
    index += 1
    isAtStart = true
  }

  /// Reads up to the next element of an object or array, or its end.
  ///
  /// - Returns: whether there is an element
  private mutating func hasNext(before close: Unicode.Scalar) throws(SafetensorsError) -> Bool {
    skipSpace()
    let (next, isFirst) = (peek(), isAtStart)
    isAtStart = false
    guard next != close else {
      index += 1
      return false
    }
    if isFirst { return true }
    guard next == "," else {
      throw fault(expected: "\(JSONCursor.name(of: ",")) or \(JSONCursor.name(of: close))")
    }
    index += 1
    skipSpace()
    return true
  }

  private mutating func expect(_ byte: Unicode.Scalar) throws(SafetensorsError) {
    skipSpace()
    guard peek() == byte else { throw fault(expected: JSONCursor.name(of: byte)) }
    index += 1
  }

  package mutating func skipSpace() {
    while let byte = peek(), byte == " " || byte == "\n" || byte == "\r" || byte == "\t" { index += 1 }
  }

  /// The next byte as an ASCII character. A byte above 127 becomes its Latin-1 character, which matches nothing here.
  private func peek() -> Unicode.Scalar? { index < bytes.count ? Unicode.Scalar(bytes[index]) : nil }
}

extension JSONCursor {
  /// Reads a string, resolving its escapes.
  package mutating func readString() throws(SafetensorsError) -> String {
    guard peek() == "\"" else { throw fault(expected: "a string") }
    let start = index
    index += 1
    var text: [UInt8] = []
    while let byte = peek(), byte != "\"" {
      guard byte >= " " else { throw fault(expected: "the rest of a string") }
      if byte == "\\" {
        index += 1
        try readEscape(into: &text)
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    guard peek() != nil else { throw fault(expected: "the end of the string from byte \(base + start)") }
    index += 1
    guard let string = String(validUTF8: text) else {
      throw .notUTF8(path: path, offset: base + start)
    }
    return string
  }

  /// Reads an escape after its backslash.
  private mutating func readEscape(into text: inout [UInt8]) throws(SafetensorsError) {
    guard let letter = peek() else { throw fault(expected: "an escape") }
    switch letter {
    case "\"", "\\", "/": text.append(bytes[index])
    case "b": text.append(0x08)
    case "f": text.append(0x0c)
    case "n": text.append(0x0a)
    case "r": text.append(0x0d)
    case "t": text.append(0x09)
    case "u":
      index += 1
      text.append(contentsOf: String(try readScalar()).utf8)
      return
    default: throw fault(expected: "one of \" \\ / b f n r t u after a backslash")
    }
    index += 1
  }

  /// Reads the digits after `\u`, and the second half of a surrogate pair.
  private mutating func readScalar() throws(SafetensorsError) -> Character {
    let start = index
    var value = try readHex()
    if value >> 10 == 0xd800 >> 10 {
      for byte: Unicode.Scalar in ["\\", "u"] {
        guard peek() == byte else { throw fault(expected: "the second half of a surrogate pair") }
        index += 1
      }
      let low = try readHex()
      guard low >> 10 == 0xdc00 >> 10 else {
        throw fault(at: start, expected: "a surrogate pair", found: "its first half alone")
      }
      value = 0x10000 + (value & 0x3ff) << 10 + low & 0x3ff
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw fault(at: start, expected: "a surrogate pair", found: "its second half alone")
    }
    return Character(scalar)
  }

  private mutating func readHex() throws(SafetensorsError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      switch peek()?.value {
      case .some(let digit) where 0x30...0x39 ~= digit: value = value << 4 | (digit - 0x30)
      case .some(let letter) where 0x41...0x46 ~= letter & 0xdf: value = value << 4 | ((letter & 0xdf) - 0x37)
      default: throw fault(expected: "four hex digits after \\u")
      }
      index += 1
    }
    return value
  }
}

extension JSONCursor {
  /// The error for this position, with the character that is here.
  private func fault(expected: String) -> SafetensorsError {
    let found =
      switch peek() {
      case .none: "the end of the header"
      case .some("{"): "an object"
      case .some("["): "an array"
      case .some("\""): "a string"
      case .some("-"): "a negative number"
      case .some(let byte) where byte >= "0" && byte <= "9": "a number"
      case .some("t"), .some("f"), .some("n"): "true, false or null"
      case .some(let byte): JSONCursor.name(of: byte)
      }
    return fault(at: index, expected: expected, found: found)
  }

  private func fault(at index: Int, expected: String, found: String) -> SafetensorsError {
    .malformedHeader(path: path, offset: base + index, expected: expected, found: found)
  }

  private static func name(of byte: Unicode.Scalar) -> String {
    byte > " " && byte < "\u{7f}" ? "'\(byte)'" : "the byte 0x" + String(byte.value, radix: 16)
  }
}

/// A value of any JSON.
package enum JSONValue {
  case text(String)
  /// A number as it is written.
  case number(String)
  case null
  /// `true`, `false`, an array or an object.
  case other
}

/// Reads JSON of any form (RFC 8259).
extension JSONCursor {
  /// Objects and arrays within each other: more are refused.
  private static var largestDepth: Int { 64 }

  /// Reads a value. Arrays and objects are checked and not kept.
  ///
  /// - Parameter depth: the number of arrays and objects around the value
  package mutating func readValue(depth: Int = 1) throws(SafetensorsError) -> JSONValue {
    let next = peek()
    if next == "{" || next == "[", depth == Self.largestDepth { throw fault(expected: "no further bracket") }
    switch next {
    case "\"": return .text(try readString())
    case "{":
      try enterObject()
      while try nextKey() != nil { _ = try readValue(depth: depth + 1) }
    case "[":
      try enter("[", name: "")
      while try hasNext(before: "]") { _ = try readValue(depth: depth + 1) }
    case "n":
      try readWord("null")
      return .null
    case "t": try readWord("true")
    case "f": try readWord("false")
    default: return .number(try readNumber())
    }
    return .other
  }

  private mutating func readWord(_ word: StaticString) throws(SafetensorsError) {
    let isHere = word.withUTF8Buffer { unsafe bytes[index...].starts(with: $0) }
    guard isHere else { throw fault(expected: "true, false or null") }
    index += word.utf8CodeUnitCount
  }

  private mutating func readNumber() throws(SafetensorsError) -> String {
    let start = index
    if peek() == "-" { index += 1 }
    if peek() == "0" { index += 1 } else { try readDigits() }
    if peek() == "." {
      index += 1
      try readDigits()
    }
    if peek() == "e" || peek() == "E" {
      index += 1
      if peek() == "+" || peek() == "-" { index += 1 }
      try readDigits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func readDigits() throws(SafetensorsError) {
    let start = index
    while let digit = peek(), digit >= "0", digit <= "9" { index += 1 }
    guard index > start else { throw fault(expected: "a digit") }
  }
}
