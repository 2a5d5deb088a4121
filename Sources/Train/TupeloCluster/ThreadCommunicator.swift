internal import Dispatch
internal import TupeloBase

/// A communicator over threads of one process: a rank for each thread.
///
/// Tests of code for several ranks use it, without MPI. Replicas of one process need no communicator, because they
/// share memory; see `ReplicaGroup`.
package final class ThreadCommunicator: Communicator {
  package let rank: Int
  package var size: Int { meeting.size }
  package var localSize: Int { meeting.size }
  private let meeting: Meeting

  private init(_ rank: Int, _ meeting: Meeting) { (self.rank, self.meeting) = (rank, meeting) }

  /// Makes the communicators of all ranks. Each communicator is for one thread.
  package static func ranks(_ size: Int) -> [ThreadCommunicator] {
    let meeting = Meeting(size: size)
    return (0..<size).map { ThreadCommunicator($0, meeting) }
  }

  package func gather<T: BitwiseCopyable & Sendable>(_ numbers: [T]) -> [[T]] {
    meeting.meet(rank, bringing: numbers)
  }

  package func exchange<T: BitwiseCopyable & Sendable>(_ parts: [[T]]) -> [[T]] {
    precondition(parts.count == size)
    return meeting.meet(rank, bringing: parts).map { $0[rank] }
  }

  /// An exchange between ranks: each rank brings a value and gets the values of all ranks.
  private final class Meeting: Sendable {
    let size: Int
    /// The values of the current exchange, and the number of ranks that have arrived.
    private let arrivals: Locked<(brought: [(any Sendable)?], count: Int)>
    /// The values of the last exchange. The next exchange ends only when all ranks have taken them.
    private let outcome: Locked<[(any Sendable)?]>
    private let doors: [DispatchSemaphore]

    init(size: Int) {
      precondition(size >= 1)
      self.size = size
      arrivals = Locked(([(any Sendable)?](repeating: nil, count: size), 0))
      outcome = Locked([])
      doors = (0..<size).map { _ in DispatchSemaphore(value: 0) }
    }

    func meet<T: Sendable>(_ rank: Int, bringing item: T) -> [T] {
      let all = arrivals.withLock { arrivals -> [(any Sendable)?]? in
        arrivals.brought[rank] = item
        arrivals.count += 1
        guard arrivals.count == size else { return nil }
        arrivals.count = 0
        return arrivals.brought
      }
      if let all {
        outcome.withLock { $0 = all }
        for other in doors.indices where other != rank { doors[other].signal() }
      } else {
        doors[rank].wait()
      }
      return outcome.withLock { $0 }.map { item in
        guard let item = item as? T else { preconditionFailure("the ranks called different functions") }
        return item
      }
    }
  }
}
