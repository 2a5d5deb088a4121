internal import Foundation
internal import TupeloBase

/// Runs searches on their own threads, so that they delay neither the sockets nor each other.
///
/// There are three lanes, by how long work may take, so that none waits behind work that takes much longer. Each lane
/// has few threads and a bounded queue. Work that arrives when the queue is full is refused at once.
final class SearchQueue: Sendable {
  enum Lane {
    /// Some tens of milliseconds at most: up to two plies, or a short time.
    case quick
    /// Searches of three plies.
    case deep
    /// Up to seconds: more plies, longer times, and rollouts of whole games.
    case long
  }

  /// The longest time of a search that counts as quick, in milliseconds.
  static let quickTime = 50

  /// The queue is full, or nobody waits for the answer any more.
  struct Overload: Error {}

  /// Waiting or running, per lane.
  static let capacity = 128

  private let quick = BoundedLane(name: "tupelo.search.quick")
  private let deep = BoundedLane(name: "tupelo.search.deep")
  private let long = BoundedLane(name: "tupelo.search.long")

  private func line(of lane: Lane) -> BoundedLane {
    switch lane {
    case .quick: quick
    case .deep: deep
    case .long: long
    }
  }

  /// The result of `work`, done on a thread of the lane. Work that has not begun when its task is cancelled never does.
  ///
  /// - Throws: `Overload`.
  func run<Value: Sendable>(_ lane: Lane, _ work: @Sendable @escaping () -> Value) async throws(Overload) -> Value {
    let departures = Counter()
    let answer = await withTaskCancellationHandler {
      await line(of: lane).run { departures.value > 0 ? nil : work() }
    } onCancel: {
      departures.add(1)
    }
    guard let answer else { throw Overload() }
    return answer
  }
}

/// Threads with a capacity.
private final class BoundedLane: Sendable {
  private let threads: SearchThreads
  private let count = Counter()

  init(name: String) {
    threads = SearchThreads(name: name, threads: max(Processors.count, 2))
  }

  /// `nil` when the queue is full.
  func run<Value: Sendable>(_ work: @Sendable @escaping () -> Value?) async -> Value? {
    guard count.add(1) <= SearchQueue.capacity else {
      count.add(-1)
      return nil
    }
    defer { count.add(-1) }
    return await withCheckedContinuation { continuation in
      threads.add { continuation.resume(returning: work()) }
    }
  }
}
