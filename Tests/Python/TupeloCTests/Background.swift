internal import Foundation

/// Work on a thread of its own, which starts at once: the threads that run tests may all be waiting for it.
///
/// Soundness of `@unchecked Sendable`: the result is written before the semaphore is signalled, and read after it.
final class Background<Result: Sendable>: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var result: Result?

  init(_ work: @Sendable @escaping () -> Result) {
    Thread.detachNewThread { [self] in
      result = work()
      done.signal()
    }
  }

  /// Waits for the result. It may be called once.
  func wait() -> Result {
    done.wait()
    return result!
  }
}
