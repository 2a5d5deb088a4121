import Foundation
import Safetensors
import Testing

/// A folder of its own for one test, removed with everything in it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("safetensors-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      Issue.record("the folder \(path) cannot be removed: \(error)")
    }
  }

  func file(_ name: String = "test.safetensors") -> String { path + "/" + name }

  /// The names of all files in it.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

func bytes(ofFile path: String) throws -> [UInt8] {
  try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
}

func write(_ bytes: [UInt8], toFile path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

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

/// Why bytes are refused as a file, or nil when they are accepted. The path in the error is `path`.
func refusal(of bytes: [UInt8], at path: String) throws -> SafetensorsError? {
  try write(bytes, toFile: path)
  do {
    _ = try SafetensorsFile(path: path)
    return nil
  } catch {
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
