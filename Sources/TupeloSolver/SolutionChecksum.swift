/// A checksum of a solution's numbers: FNV-1a (64 bits) over 32-bit words, all codes, then all values. A change within
/// one word is always found.
struct SolutionChecksum {
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// - Precondition: a multiple of four bytes.
  mutating func add(_ bytes: RawSpan) {
    precondition(bytes.byteCount.isMultiple(of: 4))
    for offset in stride(from: 0, to: bytes.byteCount, by: 4) {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
      hash = (hash ^ UInt64(UInt32(littleEndian: word))) &* 0x0000_0100_0000_01b3
    }
  }

  /// 16 hex digits.
  var text: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension SolutionStore {
  /// - Complexity: one pass over all numbers.
  var checksum: String {
    var sum = SolutionChecksum()
    switch self {
    case .memory(let layers):
      for layer in layers { sum.add(unsafe layer.codes.span.bytes) }
      for layer in layers { sum.add(unsafe layer.values.span.bytes) }
    case .file(let solution):
      for name in [SolutionFile.Tensor.codes, SolutionFile.Tensor.values] {
        solution.withBytes(of: name) { sum.add($0) }
      }
    }
    return sum.text
  }
}
