import Safetensors
import TestSupport

/// A file put together by hand: the header as it is, and a buffer of `bufferLength` bytes 0, 1, 2, ...
func fileBytes(header: String, bufferLength: Int = 0) -> [UInt8] {
  fileBytes(header: Array(header.utf8), buffer: (0..<bufferLength).map { UInt8(truncatingIfNeeded: $0) })
}

func fileBytes(header: [UInt8], buffer: [UInt8] = []) -> [UInt8] {
  lengthBytes(UInt64(header.count)) + header + buffer
}

/// Eight bytes, the least significant first.
func lengthBytes(_ length: UInt64) -> [UInt8] {
  (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
}

/// The error for bytes as a file, or nil when they are accepted. The path in the error is `path`.
func refusal(of bytes: [UInt8], at path: String) throws -> SafetensorsError? {
  try write(bytes, toFile: path)
  do {
    _ = try SafetensorsFile(path: path)
    return nil
  } catch let error as SafetensorsError {
    return error
  }
}

/// A small generator whose numbers do not change with the platform (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
