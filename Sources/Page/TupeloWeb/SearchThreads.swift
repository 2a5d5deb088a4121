internal import Dispatch
internal import Foundation
internal import TupeloBase

/// Threads that only search, in the order of the requests.
///
/// They are threads of their own. On Linux, operation queues and dispatch queues share their threads with Swift's
/// tasks: two searches there would keep two cores' tasks waiting, and nobody would notice that a client has left.
/// The threads start with the first search, and end after this object.
final class SearchThreads: Sendable {
  private let line = Line()
  private let name: String
  private let threads: Int
  private let isStarted = Latch()

  init(name: String, threads: Int) { (self.name, self.threads) = (name, threads) }

  deinit { line.end(threads: threads) }

  /// Does `work` on the next thread that is free.
  func add(_ work: @escaping @Sendable () -> Void) {
    if !isStarted.set() { start() }
    line.add(work)
  }

  private func start() {
    for _ in 0..<threads {
      let thread = Thread { [line] in
        while let work = line.next() { work() }
      }
      thread.name = name
      // Searches recurse, one level for each ply.
      thread.stackSize = 1 << 23
      thread.start()
    }
  }
}

/// Work that waits for a thread.
private final class Line: Sendable {
  private let waiting = Locked<[@Sendable () -> Void]>([])
  /// One signal for each piece of work, and one for each thread at the end.
  private let signal = DispatchSemaphore(value: 0)

  func add(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
    signal.signal()
  }

  /// Waits for work; `nil` when no more work will come.
  func next() -> (@Sendable () -> Void)? {
    signal.wait()
    return waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  func end(threads: Int) {
    for _ in 0..<threads { signal.signal() }
  }
}
