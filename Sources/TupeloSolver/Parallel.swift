internal import Dispatch
internal import Synchronization

/// Loops over several threads.
enum Parallel {
  /// The results of `body` for 0..<count, in that order; whichever thread is free takes the next number.
  static func map<T: Sendable>(count: Int, threads: Int, _ body: @Sendable (Int) -> T) -> [T] {
    guard count > 1, threads > 1 else { return (0..<count).map(body) }
    let next = Atomic(0)
    let results = Mutex<[T?]>(Array(repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { break }
        let result = body(number)
        results.withLock { $0[number] = result }
      }
    }
    return results.withLock { $0.compactMap(\.self) }
  }

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
