internal import CTupeloShims
internal import Dispatch
internal import TupeloTraining

extension Benchmark {
  /// Measures how fast a cache line goes from one thread to another. Two threads change one line in turn, as threads
  /// that share weights do.
  ///
  /// The throughput of several training threads depends on this. On virtual machines it changes from second to second.
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

/// Soundness of the unsafe memory: one number, freed with this object, touched by atomic operations alone.
@safe
private final class SharedLine: @unchecked Sendable {
  private let count: UnsafeMutablePointer<UInt32>

  init() {
    unsafe count = .allocate(capacity: 1)
    unsafe count.initialize(to: 0)
  }

  deinit {
    unsafe count.deallocate()
  }

  var handovers: Int { Int(unsafe tupelo_load_u32(count)) }

  func change(whenTurnIs thread: Int, until deadline: ContinuousClock.Instant) {
    var waits = 0
    while waits & 0xfff != 0xfff || ContinuousClock.now < deadline {
      let turns = unsafe tupelo_load_acquire_u32(count)
      if Int(turns & 1) == thread {
        unsafe tupelo_store_release_u32(count, turns &+ 1)
      } else {
        waits += 1
      }
    }
  }
}
