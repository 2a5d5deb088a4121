internal import Dispatch
internal import Synchronization
internal import TupeloTraining

extension Benchmark {
  /// How far threads are from each other: two of them change one cache line by turns, as threads that share weights do all the time. What
  /// several of them gain in training goes by this, and on virtual machines it changes from second to second.
  static var handover: Benchmark {
    Benchmark(name: "cache line, thread to thread", unit: "handovers") { _ in
      { duration in
        let line = SharedLine()
        let deadline = ContinuousClock.now + duration
        DispatchQueue.concurrentPerform(iterations: 2) { line.change(whenTurnIs: $0, until: deadline) }
        return line.handovers
      }
    }
  }
}

private final class SharedLine: Sendable {
  private let count = Atomic(0)

  var handovers: Int { count.load(ordering: .relaxed) }

  func change(whenTurnIs thread: Int, until deadline: ContinuousClock.Instant) {
    var waits = 0
    while waits & 0xfff != 0xfff || ContinuousClock.now < deadline {
      let turns = count.load(ordering: .acquiring)
      if turns & 1 == thread { count.store(turns + 1, ordering: .releasing) } else { waits += 1 }
    }
  }
}
