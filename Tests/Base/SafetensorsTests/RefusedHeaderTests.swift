import Safetensors
import TestSupport
import Testing

/// Every way in which a header can be wrong, each with the error that names it.
@Suite struct RefusedHeaderTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func check(
    _ header: String, bufferLength: Int = 0, _ expected: SafetensorsError,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try refusal(of: fileBytes(header: header, bufferLength: bufferLength), at: path)
    #expect(found == expected, sourceLocation: location)
  }

  /// A header that is not the JSON it must be; the offset counts from the header's beginning.
  private func checkMalformed(
    _ header: String, at offset: Int, _ expected: String, _ found: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let error = SafetensorsError.malformedHeader(path: path, offset: 8 + offset, expected: expected, found: found)
    try check(header, error, location: location)
  }

  @Test func lengths() throws {
    for count in 0..<8 {
      #expect(
        try refusal(of: [UInt8](repeating: 0, count: count), at: path)
          == .truncatedHeader(path: path, length: count, expected: 8))
    }
    let refusals: [(UInt64, SafetensorsError)] = [
      (0, .malformedHeader(path: path, offset: 8, expected: "an object", found: "the end of the header")),
      (3, .truncatedHeader(path: path, length: 10, expected: 11)),
      (100_000_000, .truncatedHeader(path: path, length: 10, expected: 100_000_008)),
      (100_000_001, .headerTooLarge(path: path, length: 100_000_001, limit: 100_000_000)),
      (1 << 63, .headerTooLarge(path: path, length: 1 << 63, limit: 100_000_000)),
      (.max, .headerTooLarge(path: path, length: .max, limit: 100_000_000)),
    ]
    for (length, error) in refusals {
      #expect(try refusal(of: lengthBytes(length) + Array("{}".utf8), at: path) == error)
    }
  }

  @Test func structure() throws {
    try checkMalformed(" {}", at: 0, "an object", "the byte 0x20")
    try checkMalformed("[]", at: 0, "an object", "an array")
    try checkMalformed("null", at: 0, "an object", "true, false or null")
    try checkMalformed("\u{feff}{}", at: 0, "an object", "the byte 0xef")
    try checkMalformed("{", at: 1, "a string", "the end of the header")
    try checkMalformed("{,}", at: 1, "a string", "','")
    try checkMalformed("{}}", at: 2, "nothing but spaces after the last }", "'}'")
    try checkMalformed("{}\u{0}", at: 2, "nothing but spaces after the last }", "the byte 0x0")
    try checkMalformed("{1:2}", at: 1, "a string", "a number")
    try checkMalformed(#"{"a"}"#, at: 4, "':'", "'}'")
    try checkMalformed(#"{"a":}"#, at: 5, "an object", "'}'")
    try checkMalformed(#"{"a":[]}"#, at: 5, "an object", "an array")
    try checkMalformed(#"{"a":"b"}"#, at: 5, "an object", "a string")
    try checkMalformed(#"{"__metadata__":{},}"#, at: 19, "a string", "'}'")
    try checkMalformed(#"{"__metadata__":{} "a":1}"#, at: 19, "',' or '}'", "a string")
    try checkMalformed(#"{"__metadata__":{"a":1}}"#, at: 21, "a string", "a number")
    try checkMalformed(#"{"__metadata__":{"a":null}}"#, at: 21, "a string", "true, false or null")
    try checkMalformed(#"{"__metadata__":null}"#, at: 16, "an object", "true, false or null")
    try checkMalformed(#"{"__metadata__":{"a":{}}}"#, at: 21, "a string", "an object")
    try checkMalformed("{/**/}", at: 1, "a string", "'/'")
  }

  /// A header with deep nesting is refused at the first bracket that should not be there, and without recursion.
  @Test func nesting() throws {
    let deep = 1_000_000
    try checkMalformed(String(repeating: "{", count: deep), at: 1, "a string", "an object")
    try check(
      String(repeating: #"{"a":"#, count: deep), .unexpectedField(path: path, name: "a", field: "a"))
    try checkMalformed(#"{"a":"# + String(repeating: "[", count: deep), at: 5, "an object", "an array")
    try checkMalformed(
      #"{"a":{"shape":"# + String(repeating: "[", count: deep), at: 15, "a non-negative integer", "an array")
  }

  @Test func strings() throws {
    let escapes = #"one of " \ / b f n r t u after a backslash"#
    try checkMalformed(#"{"a"#, at: 3, "the end of the string from byte 9", "the end of the header")
    try checkMalformed(#"{"a\"#, at: 4, "an escape", "the end of the header")
    try checkMalformed("{\"a\n\":1}", at: 3, "the rest of a string", "the byte 0xa")
    try checkMalformed(#"{"\x41":1}"#, at: 3, escapes, "'x'")
    try checkMalformed(#"{"\u12g4":1}"#, at: 6, "four hex digits after \\u", "'g'")
    try checkMalformed(#"{"\u12ä4":1}"#, at: 6, "four hex digits after \\u", "the byte 0xc3")
    try checkMalformed(#"{"\u123"#, at: 7, "four hex digits after \\u", "the end of the header")
    try checkMalformed(#"{"\ud83c":1}"#, at: 8, "the second half of a surrogate pair", "a string")
    try checkMalformed(#"{"\ud83cx":1}"#, at: 8, "the second half of a surrogate pair", "'x'")
    try checkMalformed(#"{"\ud83c\n":1}"#, at: 9, "the second half of a surrogate pair", "true, false or null")
    try checkMalformed(#"{"\ud83c\u0041":1}"#, at: 4, "a surrogate pair", "its first half alone")
    try checkMalformed(#"{"\udfb2":1}"#, at: 4, "a surrogate pair", "its second half alone")
  }

  @Test func notUTF8() throws {
    // A stray continuation, an overlong slash, half a character, an encoded surrogate, beyond the last scalar, a byte
    // never used.
    let wrong: [[UInt8]] = [
      [0x80], [0xc0, 0xaf], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff],
    ]
    for text in wrong {
      let header = Array(#"{"__metadata__":{"a":""#.utf8) + text + Array(#""}}"#.utf8)
      #expect(try refusal(of: fileBytes(header: header), at: path) == .notUTF8(path: path, offset: 8 + 21))
    }
  }

  @Test func numbers() throws {
    func header(_ number: String) -> String { #"{"a":{"shape":[\#(number)]"# }
    let integer = "a non-negative integer"
    try checkMalformed(header("-1"), at: 15, integer, "a negative number")
    try checkMalformed(header("-0"), at: 15, integer, "a negative number")
    try checkMalformed(header("1.0"), at: 15, "an integer", "a number with a fraction or an exponent")
    try checkMalformed(header("1e3"), at: 15, "an integer", "a number with a fraction or an exponent")
    try checkMalformed(header("1E3"), at: 15, "an integer", "a number with a fraction or an exponent")
    try checkMalformed(header("01"), at: 15, "an integer", "one with a leading zero")
    try checkMalformed(header("00"), at: 15, "an integer", "one with a leading zero")
    try checkMalformed(header("+1"), at: 15, integer, "'+'")
    try checkMalformed(header(".5"), at: 15, integer, "'.'")
    try checkMalformed(header("\"1\""), at: 15, integer, "a string")
    try checkMalformed(header("true"), at: 15, integer, "true, false or null")
    try checkMalformed(header("1,"), at: 17, integer, "']'")
    try checkMalformed(header("1 1"), at: 17, "',' or ']'", "a number")
    try checkMalformed(header("0x10"), at: 16, "',' or ']'", "'x'")
    try checkMalformed(header("9223372036854775808"), at: 15, "an integer below 2^63", "a larger one")
    try checkMalformed(
      header(String(repeating: "9", count: 1_000_000)), at: 15, "an integer below 2^63", "a larger one")
  }

  @Test func duplicateKeys() throws {
    let entry = #"{"dtype":"U8","shape":[0],"data_offsets":[0,0]}"#
    func error(_ key: String, at offset: Int) -> SafetensorsError {
      .duplicateKey(path: path, offset: 8 + offset, key: key)
    }
    try check(#"{"a":\#(entry),"a":\#(entry)}"#, error("a", at: 53))
    try check(#"{"a":\#(entry),"\u0061":\#(entry)}"#, error("a", at: 53))
    // These keys are one character, written as one scalar and as two.
    try check(#"{"\u00e9":\#(entry),"e\u0301":\#(entry)}"#, error("é", at: 58))
    try check(#"{"__metadata__":{},"__metadata__":{}}"#, error("__metadata__", at: 19))
    try check(#"{"__metadata__":{"k":"1","j":"","k":"1"}}"#, error("k", at: 32))
    try check(#"{"a":{"shape":[0],"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#, error("shape", at: 31))
    try check(#"{"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#, error("dtype", at: 19))
    try check(
      #"{"a":{"data_offsets":[0,0],"data_offsets":[0,0],"dtype":"U8","shape":[0]}}"#, error("data_offsets", at: 27))
  }

  @Test func fields() throws {
    try check(#"{"a":{"shape":[],"data_offsets":[0,1]}}"#, .missingField(path: path, name: "a", field: "dtype"))
    try check(#"{"a":{"dtype":"U8","data_offsets":[0,1]}}"#, .missingField(path: path, name: "a", field: "shape"))
    try check(#"{"a":{"dtype":"U8","shape":[]}}"#, .missingField(path: path, name: "a", field: "data_offsets"))
    try check(#"{"a":{"dtype":"U8","shapes":[]}}"#, .unexpectedField(path: path, name: "a", field: "shapes"))
    for type in ["I8", "BOOL", "f32", "F32 ", "", "C64"] {
      try check(
        #"{"a":{"dtype":"\#(type)","shape":[0],"data_offsets":[0,0]}}"#,
        .unknownType(path: path, name: "a", found: type))
    }
  }

  @Test func sizes() throws {
    func header(_ shape: [Int], _ offsets: [Int]) -> String {
      #"{"a":{"dtype":"F32","shape":\#(shape),"data_offsets":\#(offsets)}}"#
    }
    for shape in [[1 << 40, 1 << 40], [Int.max], [1 << 61], [1 << 40, 1 << 40, 0]] {
      try check(header(shape, [0, 4]), bufferLength: 4, .shapeOverflow(path: path, name: "a", shape: shape))
    }
    for offsets in [[], [0], [0, 4, 4], [4, 0]] {
      try check(header([1], offsets), bufferLength: 4, .badOffsets(path: path, name: "a", found: offsets))
    }
    for end in [0, 3, 5, 8, Int.max] {
      try check(
        header([1], [0, end]), bufferLength: 4, .wrongByteCount(path: path, name: "a", expected: 4, found: end))
    }
    try check(
      header([1 << 40], [0, 1 << 42]), bufferLength: 4,
      .wrongBufferLength(path: path, expected: 1 << 42, found: 4))
    try check(header([1], [0, 4]), bufferLength: 5, .wrongBufferLength(path: path, expected: 4, found: 5))
    try check("{}", bufferLength: 1, .wrongBufferLength(path: path, expected: 0, found: 1))
  }

  @Test func holesAndOverlaps() throws {
    func header(_ ranges: [(Int, Int)]) -> String {
      "{"
        + ranges.enumerated().map { number, range in
          #""t\#(number)":{"dtype":"U8","shape":[\#(range.1 - range.0)],"data_offsets":[\#(range.0),\#(range.1)]}"#
        }.joined(separator: ",") + "}"
    }
    func misplaced(_ number: Int, _ expected: Int, _ found: Int) -> SafetensorsError {
      .misplacedTensor(path: path, name: "t\(number)", expected: expected, found: found)
    }
    let length = 8
    try check(header([(1, 8)]), bufferLength: length, misplaced(0, 0, 1))
    try check(header([(0, 3), (4, 8)]), bufferLength: length, misplaced(1, 3, 4))
    try check(header([(4, 8), (0, 3)]), bufferLength: length, misplaced(0, 3, 4))
    try check(header([(0, 5), (4, 8)]), bufferLength: length, misplaced(1, 5, 4))
    try check(header([(0, 8), (0, 8)]), bufferLength: length, misplaced(1, 8, 0))
    try check(header([(0, 8), (2, 4)]), bufferLength: length, misplaced(1, 8, 2))
    try check(header([(0, 8), (4, 4)]), bufferLength: length, misplaced(1, 8, 4))
    try check(header([(0, 8), (9, 9)]), bufferLength: length, misplaced(1, 8, 9))
    try check(header([(0, 4), (4, 7)]), bufferLength: length, .wrongBufferLength(path: path, expected: 7, found: 8))
  }

  @Test func tensorsNamedLikeTheMetadata() throws {
    try check(
      #"{"__metadata__":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}"#,
      .malformedHeader(path: path, offset: 8 + 38, expected: "a string", found: "an array"))
  }
}
