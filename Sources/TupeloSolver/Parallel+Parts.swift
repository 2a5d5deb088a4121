internal import Threads

extension Parallel {
  /// The results of `body` for consecutive parts of an array: `parts` of them, one when it is too short to share.
  static func mapParts<T: Sendable>(
    of codes: [UInt32], parts: Int, threads: Int, _ body: @Sendable (ArraySlice<UInt32>) -> T
  ) -> [T] {
    let parts = codes.count < 1024 ? 1 : max(parts, 1)
    return map(count: parts, threads: threads) { part in
      body(codes[codes.count * part / parts..<codes.count * (part + 1) / parts])
    }
  }
}
