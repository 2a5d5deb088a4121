#if !arch(wasm32)
internal import Dispatch
#endif

/// Runs loops on several threads.
package enum Parallel {
  /// Calls `body` for 0..<count on several threads; a free thread takes the next number.
  package static func forEach(count: Int, threads: Int, _ body: @Sendable (Int) -> Void) {
    #if !arch(wasm32)
    let next = Counter()
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
      while true {
        let number = next.next()
        guard number < count else { break }
        body(number)
      }
    }
    #else
    // WebAssembly has one thread.
    for number in 0..<count { body(number) }
    #endif
  }

  /// The results of `body` for 0..<count, in that order.
  package static func map<T: Sendable>(count: Int, threads: Int, _ body: @Sendable (Int) -> T) -> [T] {
    guard count > 1, threads > 1 else { return (0..<count).map(body) }
    let results = Locked<[T?]>(Array(repeating: nil, count: count))
    forEach(count: count, threads: threads) { number in
      let result = body(number)
      results.withLock { $0[number] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
