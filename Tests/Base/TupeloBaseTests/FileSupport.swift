import TestSupport
import TupeloBase

extension TemporaryFolder {
  /// The file that most tests write.
  func file() -> String { file("test.bin") }
}

/// Replaces a file with the pieces of another, whole or not at all.
func replace(_ path: String, with pieces: [[UInt8]], calls: FileCalls = .system) throws {
  let file = try ReplacementFile(path: path, calls: calls)
  do {
    for piece in pieces { try file.append(piece.span.bytes) }
    try file.commit()
  } catch {
    file.discard()
    throw error
  }
}

/// All bytes of a mapped file.
func mappedBytes(_ path: String) throws(SystemError) -> [UInt8] {
  let file = try MappedFile(path: path)
  return file.withBytes(0..<file.byteCount) { bytes in (0..<bytes.byteCount).map { bytes.byte(at: $0) } }
}
