internal import TupeloBase

/// Ends work that takes too long: one piece of work at a time, such as a connection's.
///
/// The time is checked at intervals. A timer for each piece of work would live until its end, however soon the work is
/// done. With thousands of requests per second, twenty seconds of timers would be alive.
final class Deadline: Sendable {
  struct Passed: Error {}

  private struct Work {
    let end: ContinuousClock.Instant
    let cancel: @Sendable () -> Void
    let endsOnDismissal: Bool
    var hasPassed = false
  }

  private let work = Locked<Work?>(nil)
  private let waiting: Locked<ContinuousClock.Instant?> = Locked(.now)
  private let dismissal = Latch()

  /// Since when the client has kept the server waiting, for a request or until it takes a piece of an answer; `nil`
  /// while an answer is worked on.
  var waitingSince: ContinuousClock.Instant? { waiting.withLock { $0 } }

  /// Notes that the server waits for the client from now on, or that it does not.
  func setWaiting(_ isWaiting: Bool) { waiting.withLock { $0 = isWaiting ? .now : nil } }

  /// Whether the connection is to make way for another one.
  var isDismissed: Bool { dismissal.isSet }

  /// Ends the wait for the client, now or as soon as it begins.
  func dismiss() {
    dismissal.set()
    end { $0.endsOnDismissal }
  }

  /// Runs `body`, and ends the work of `run` at its time, or up to half a second later.
  func watching(_ body: () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.watch() }
      await body()
      group.cancelAll()
    }
  }

  /// - Parameter endsOnDismissal: whether `dismiss` ends the work, too
  /// - Throws: `Passed`; what `body` throws.
  func run<Value: Sendable>(
    until end: ContinuousClock.Instant, endsOnDismissal: Bool = false,
    _ body: @Sendable @escaping () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await body() }
    work.withLock { $0 = Work(end: end, cancel: { task.cancel() }, endsOnDismissal: endsOnDismissal) }
    if isDismissed { self.end { $0.endsOnDismissal } }
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
      end { ContinuousClock.now >= $0.end }
    }
  }

  /// Ends the present work, if it is to end.
  private func end(where isDue: (Work) -> Bool) {
    let cancel: (@Sendable () -> Void)? = work.withLock { work in
      guard let current = work, !current.hasPassed, isDue(current) else { return nil }
      work?.hasPassed = true
      return current.cancel
    }
    cancel?()
  }
}
