internal import TupeloBase

/// Reads the JSON of a header from left to right. The caller follows the grammar and requests each part in turn: an
/// object, a string.
///
/// The cursor is stricter than JSON. Numbers are non-negative integers without leading zeros. Null, true and false are
/// refused, because a header has none. Each byte is read a bounded number of times. Only the strings and numbers of the
/// header are allocated. Nothing recurses: a value that is nested deeper than the caller requests is refused at its
/// first bracket.
struct JSONCursor {
  /// The path of the file and, below it, the offset of the first byte in it; both for messages.
  private let path: String
  private let base: Int
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8], path: String, base: Int) {
    self.bytes = bytes
    self.path = path
    self.base = base
  }

  /// The offset of the next byte in the file.
  var offset: Int { base + index }

  /// Reads an object, calling `member` with the cursor before each value.
  mutating func readObject(
    _ member: (_ cursor: inout JSONCursor, _ key: String, _ offset: Int) throws(SafetensorsError) -> Void
  ) throws(SafetensorsError) {
    try readList(from: "{", to: "}", name: "an object") { (cursor: inout JSONCursor) throws(SafetensorsError) in
      let offset = cursor.offset
      let key = try cursor.readString()
      try cursor.expect(":")
      cursor.skipSpace()
      try member(&cursor, key, offset)
    }
  }

  /// Reads an array of non-negative integers.
  mutating func readIntegers() throws(SafetensorsError) -> [Int] {
    var integers: [Int] = []
    try readList(from: "[", to: "]", name: "an array") { (cursor: inout JSONCursor) throws(SafetensorsError) in
      integers.append(try cursor.readInteger())
    }
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
  mutating func readEnd() throws(SafetensorsError) {
    skipSpace()
    guard index == bytes.count else { throw fault(expected: "nothing but spaces after the last }") }
  }

  private mutating func readList(
    from open: Unicode.Scalar, to close: Unicode.Scalar, name: String,
    element: (inout JSONCursor) throws(SafetensorsError) -> Void
  ) throws(SafetensorsError) {
    guard peek() == open else { throw fault(expected: name) }
    index += 1
    skipSpace()
    if peek() == close {
      index += 1
      return
    }
    while true {
      try element(&self)
      skipSpace()
      let next = peek()
      guard next == "," || next == close else {
        throw fault(expected: "\(JSONCursor.name(of: ",")) or \(JSONCursor.name(of: close))")
      }
      index += 1
      if next == close { return }
      skipSpace()
    }
  }

  private mutating func expect(_ byte: Unicode.Scalar) throws(SafetensorsError) {
    skipSpace()
    guard peek() == byte else { throw fault(expected: JSONCursor.name(of: byte)) }
    index += 1
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == " " || byte == "\n" || byte == "\r" || byte == "\t" { index += 1 }
  }

  /// The next byte as an ASCII character. A byte above 127 becomes its Latin-1 character, which matches nothing here.
  private func peek() -> Unicode.Scalar? { index < bytes.count ? Unicode.Scalar(bytes[index]) : nil }
}

extension JSONCursor {
  /// Reads a string, resolving its escapes.
  mutating func readString() throws(SafetensorsError) -> String {
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
      guard let byte = peek(), byte.properties.isASCIIHexDigit, let digit = Character(byte).hexDigitValue else {
        throw fault(expected: "four hex digits after \\u")
      }
      value = value << 4 | UInt32(digit)
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
