import Testing
import TestSupport
import TupeloBase

/// `String(validUTF8:)` against the table of the Unicode standard.
@Suite struct ValidTextTests {
  @Test(
    arguments: [
      [], [0], Array("a\u{0}b".utf8), Array("é€😀\u{fffd}".utf8), Array("\u{feff}text\r\n".utf8),
      [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0xe2, 0x82], [0xef, 0xbf, 0xbd],
    ] as [[UInt8]])
  func knownBytes(_ bytes: [UInt8]) {
    let expected = Self.strict(bytes)
    #expect(String(validUTF8: bytes) == expected)
    #expect(String(validUTF8: bytes[...]).map { Array($0.utf8) } == expected.map { _ in bytes })
  }

  /// Short texts of few bytes meet every kind of sequence, whole and cut short.
  @Test func randomBytes() {
    var random = TestRandom(state: 68)
    let alphabet: [UInt8] = [0x00, 0x61, 0x80, 0xbf, 0xc2, 0xdf, 0xe0, 0xa0, 0xed, 0x9f, 0xef, 0xf0, 0x90, 0xf4, 0x8f]
    var valid = 0
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &random)]
      }
      let text = String(validUTF8: bytes)
      #expect(text == Self.strict(bytes), "\(bytes)")
      valid += text == nil ? 0 : 1
    }
    #expect((1000..<19_000).contains(valid))
  }

  /// The text of bytes by the standard's table of well-formed sequences (Unicode, table 3-7).
  private static func strict(_ bytes: [UInt8]) -> String? {
    var rest = bytes[...]
    while let first = rest.popFirst() {
      let ranges: [ClosedRange<UInt8>]
      switch first {
      case 0x00...0x7f: ranges = []
      case 0xc2...0xdf: ranges = [0x80...0xbf]
      case 0xe0: ranges = [0xa0...0xbf, 0x80...0xbf]
      case 0xed: ranges = [0x80...0x9f, 0x80...0xbf]
      case 0xe1...0xef: ranges = [0x80...0xbf, 0x80...0xbf]
      case 0xf0: ranges = [0x90...0xbf, 0x80...0xbf, 0x80...0xbf]
      case 0xf1...0xf3: ranges = [0x80...0xbf, 0x80...0xbf, 0x80...0xbf]
      case 0xf4: ranges = [0x80...0x8f, 0x80...0xbf, 0x80...0xbf]
      default: return nil
      }
      for range in ranges {
        guard let next = rest.popFirst(), range.contains(next) else { return nil }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
