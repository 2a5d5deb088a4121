internal import TupeloBase

/// The bytes of a file: on the disk, mapped, or an array in memory.
enum FileBytes: Sendable {
  case mapped(MappedFile)
  case memory([UInt8])

  var byteCount: Int {
    switch self {
    case .mapped(let file): file.byteCount
    case .memory(let bytes): bytes.count
    }
  }

  /// Calls `body` with the bytes of a range.
  ///
  /// - Precondition: the range is within `0..<byteCount`.
  func withBytes<R: ~Copyable, E>(_ range: Range<Int>, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    switch self {
    case .mapped(let file): return try file.withBytes(range, body)
    case .memory(let bytes):
      // Bytes have no padding between them.
      let all = unsafe bytes.span.bytes
      return try body(all.extracting(range))
    }
  }

  func adviseSequential() {
    if case .mapped(let file) = self { file.adviseSequential() }
  }
}
