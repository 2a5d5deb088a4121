internal import Threads

/// Ends work that takes too long: one piece of work at a time, such as a connection's.
///
/// The time is looked at now and then. A timer for each piece would live on until its time, however soon the work is
/// done: thousands of requests per second, twenty seconds of them.
final class Deadline: Sendable {
  struct Passed: Error {}

  private struct Work {
    let end: ContinuousClock.Instant
    let cancel: @Sendable () -> Void
    var hasPassed = false
  }

  private let work = Locked<Work?>(nil)

  /// Runs `body`, and meanwhile what `run` is given ends at its time, or up to half a second later.
  func watching(_ body: () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.watch() }
      await body()
      group.cancelAll()
    }
  }

  /// - Throws: `Passed`; what `body` throws.
  func run<Value: Sendable>(
    until end: ContinuousClock.Instant, _ body: @Sendable @escaping () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await body() }
    work.withLock { $0 = Work(end: end, cancel: { task.cancel() }) }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let hasPassed = work.withLock { work in
      defer { work = nil }
      return work?.hasPassed ?? false
    }
    if hasPassed, case .failure = result { throw Passed() }
    return try result.get()
  }

  private func watch() async {
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: .milliseconds(500))
      } catch {
        return
      }
      let cancel: (@Sendable () -> Void)? = work.withLock { work in
        guard let current = work, !current.hasPassed, ContinuousClock.now >= current.end else { return nil }
        work?.hasPassed = true
        return current.cancel
      }
      cancel?()
    }
  }
}
