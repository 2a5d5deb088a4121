import Safetensors
import Testing

/// Damaged files for the tests of readers, the same in every run.
enum Mutations {
  /// Sound files of all kinds, small enough that most damage hits something that matters.
  static let originals: [[UInt8]] = [
    fileBytes(
      header: #"{"__metadata__":{"k":"v"},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"#
        + #""a":{"dtype":"U8","shape":[3,1],"data_offsets":[8,11]}}"#, bufferLength: 11),
    fileBytes(
      header:
        #"{"x":{"dtype":"U64","shape":[1],"data_offsets":[0,8]},"#
        + #""y":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}}  "#,
      bufferLength: 16),
    fileBytes(
      header:
        #"{"é\n":{"dtype":"F16","shape":[],"data_offsets":[0,2]},"#
        + #""e":{"dtype":"BF16","shape":[0,9],"data_offsets":[2,2]}}"#,
      bufferLength: 2),
    fileBytes(header: #"{"__metadata__":{"a":"\ud83c\udfb2","b":""}}"#),
  ]

  /// Files in which one bit of the length or of the header is inverted, for each bit in turn.
  static func flips(of original: [UInt8]) -> [[UInt8]] {
    let end = 8 + Int(original[0])
    return (0..<end * 8).map { bit in
      var copy = original
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      return copy
    }
  }

  /// Pieces that damage inserts into a file: parts of the grammar, and bytes that cause trouble.
  private static let pieces: [[UInt8]] =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "0", "1", "8", "16", "-1", "1.5", "1e3", "18446744073709551616",
      "9223372036854775807", "null", "true", " ", "\n", #""a""#, #""dtype""#, #""shape""#, #""data_offsets""#,
      #""__metadata__""#, #"{"k":"v"}"#, "U8", "F64", "é", #""z":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"#,
    ].map { Array($0.utf8) } + [[0], [0x80], [0xc0], [0xed, 0xa0, 0x80], [0xff]]

  /// Random damage to the originals, from a fixed seed.
  static func random(count: Int, seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(state: seed)
    return (0..<count).map { number in
      let original = originals[number % originals.count]
      let headerEnd = 8 + Int(original[0])
      var header = Array(original[8..<headerEnd])
      var buffer = Array(original[headerEnd...])
      for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&header, &generator) }
      if Int.random(in: 0..<8, using: &generator) == 0 { damage(&buffer, &generator) }
      // Most get a length that fits, so that the parser and not the length refuses them.
      let error = Int.random(in: 0..<8, using: &generator) == 0 ? Int.random(in: -9...9, using: &generator) : 0
      return lengthBytes(UInt64(max(0, header.count + error))) + header + buffer
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &generator)
    let end = Int.random(in: place...min(place + 8, bytes.count), using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: place)
    case 1: bytes.replaceSubrange(place..<end, with: pieces.randomElement(using: &generator) ?? [])
    case 2: bytes.removeSubrange(place..<end)
    case 3:
      // A piece of the same file, from anywhere to anywhere.
      let from = Int.random(in: 0...bytes.count, using: &generator)
      let to = Int.random(in: from...bytes.count, using: &generator)
      bytes.insert(contentsOf: Array(bytes[from..<to]), at: place)
    default:
      if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator) }
    }
  }
}
