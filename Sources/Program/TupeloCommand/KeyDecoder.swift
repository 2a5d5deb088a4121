internal import TupeloEngine

/// Finds keys in the bytes that a terminal or a pipe sends. A sequence or a character may arrive in several reads.
///
/// Keys are characters and arrows (ESC [ A and ESC O A, and so on). Other keys that send sequences, reports of the
/// mouse and replies of the terminal are skipped whole, so that their letters are not taken for keys.
struct KeyDecoder {
  private var bytes: [UInt8] = []

  /// Whether the last bytes are the beginning of a sequence or a character.
  var isUnfinished: Bool { !bytes.isEmpty }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// Drops an unfinished sequence, whose rest does not come.
  mutating func giveUp() { bytes = [] }

  /// The next key; `nil` when there is none, or only the beginning of one.
  mutating func next() -> Keystroke? {
    while let length = Self.length(of: bytes) {
      let unit = Array(bytes.prefix(length))
      bytes.removeFirst(length)
      if let key = Self.key(of: unit) { return key }
    }
    return nil
  }

  private static let escape: UInt8 = 0x1b

  /// The bytes of the first sequence or character; `nil` when it is not finished.
  private static func length(of bytes: [UInt8]) -> Int? {
    guard let first = bytes.first else { return nil }
    guard first == escape else { return characterLength(of: bytes) }
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["), UInt8(ascii: "O"): return sequenceLength(of: bytes)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      return stringLength(of: bytes)
    default: return 1
    }
  }

  /// A sequence of ESC [ or ESC O: parameters up to a letter. Function keys of the Linux console (ESC [ [ and a letter)
  /// and the mouse in form X10 (ESC [ M and three bytes) have lengths of their own.
  private static func sequenceLength(of bytes: [UInt8]) -> Int? {
    let kind = bytes[1] == UInt8(ascii: "[") && bytes.count > 2 ? bytes[2] : 0
    if kind == UInt8(ascii: "[") || kind == UInt8(ascii: "M") {
      let length = kind == UInt8(ascii: "M") ? 6 : 4
      return bytes.count >= length ? length : nil
    }
    guard let end = bytes.indices.dropFirst(2).first(where: { !(0x20...0x3f).contains(bytes[$0]) }) else { return nil }
    // Another byte belongs to the next key: the sequence was cut off.
    return (0x40...0x7e).contains(bytes[end]) ? end + 1 : end
  }

  /// A text of the terminal, such as its reply to a question about colours: it ends with BEL, or with ESC \.
  private static func stringLength(of bytes: [UInt8]) -> Int? {
    guard let end = bytes.indices.dropFirst(2).first(where: { bytes[$0] == 0x07 || bytes[$0] == escape }) else {
      return nil
    }
    guard bytes[end] == escape else { return end + 1 }
    guard end + 1 < bytes.count else { return nil }
    return bytes[end + 1] == UInt8(ascii: "\\") ? end + 2 : end
  }

  /// A character of UTF-8. Bytes that are not one have no length of more than the broken part.
  private static func characterLength(of bytes: [UInt8]) -> Int? {
    let length = bytes[0] < 0xc0 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4
    let found = 1 + bytes.dropFirst().prefix(length - 1).prefix { (0x80..<0xc0).contains($0) }.count
    return found == length || found < bytes.count ? found : nil
  }

  private static func key(of unit: [UInt8]) -> Keystroke? {
    if unit[0] == escape { return unit.count == 3 ? arrows[unit[2]].map(Keystroke.arrow) : nil }
    guard let character = String(decoding: unit, as: UTF8.self).first,
      character.isWhitespace || !(unit[0] < 0x20 || unit[0] == 0x7f)
    else { return nil }
    return .character(character)
  }

  private static let arrows: [UInt8: Move] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]
}
