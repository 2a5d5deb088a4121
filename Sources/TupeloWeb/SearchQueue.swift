internal import Foundation
internal import Threads

/// Runs searches on their own threads, so that they delay neither the sockets nor each other.
///
/// There are two lanes: quick work (under a few milliseconds) never waits for deep searches. Each lane has few threads
/// and a bounded queue. Work that arrives when the queue is full is refused at once.
final class SearchQueue: Sendable {
  enum Lane { case quick, deep }

  /// The queue of a lane is full.
  struct Overload: Error {}

  /// The largest number of waiting and running searches, per lane.
  static let capacity = 128

  private let quick = BoundedLane(name: "tupelo.search.quick")
  private let deep = BoundedLane(name: "tupelo.search.deep")

  /// Runs `work` on a thread of the lane and returns its result.
  ///
  /// - Throws: `Overload`.
  func run<Value: Sendable>(_ lane: Lane, _ work: @Sendable @escaping () -> Value) async throws(Overload) -> Value {
    try await (lane == .quick ? quick : deep).run(work)
  }
}

/// An operation queue with a capacity. `OperationQueue` is safe to use from any thread.
private final class BoundedLane: Sendable {
  private let queue: OperationQueue
  private let count = Counter()

  init(name: String) {
    queue = OperationQueue()
    queue.name = name
    queue.maxConcurrentOperationCount = max(ProcessInfo.processInfo.activeProcessorCount, 2)
  }

  func run<Value: Sendable>(_ work: @Sendable @escaping () -> Value) async throws(SearchQueue.Overload) -> Value {
    guard count.add(1) <= SearchQueue.capacity else {
      count.add(-1)
      throw SearchQueue.Overload()
    }
    defer { count.add(-1) }
    return await withCheckedContinuation { continuation in
      queue.addOperation { continuation.resume(returning: work()) }
    }
  }
}
