internal import TupeloBase

extension Parallel {
  /// Calls `body` for `parts` consecutive parts of an array and returns the results. A short array is one part.
  static func mapParts<T: Sendable>(
    of codes: [UInt32], parts: Int, threads: Int, _ body: @Sendable (ArraySlice<UInt32>) -> T
  ) -> [T] {
    let parts = codes.count < 1024 ? 1 : max(parts, 1)
    return map(count: parts, threads: threads) { part in
      body(codes[codes.count * part / parts..<codes.count * (part + 1) / parts])
    }
  }
}
