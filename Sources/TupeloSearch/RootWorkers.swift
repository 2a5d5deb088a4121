internal import Dispatch
internal import Synchronization
internal import TupeloEngine

/// Searches the moves of the root in parallel: each has a worker and a table of its own, so values, nodes and what the tables hold are the
/// same at any number of threads.
struct RootWorkers {
  /// By move number.
  private let workers: [Slot]
  let threads: Int

  private final class Slot: Sendable {
    /// With the value that the worker last found.
    let search: Mutex<(worker: ExpectimaxWorker, value: Float)>

    init(rules: Rules, tableBytes: Int) {
      let memory = tableBytes > 0 ? TranspositionTable(byteCount: tableBytes) : nil
      search = Mutex((ExpectimaxWorker(rules: rules, memory: memory), 0))
    }
  }

  init(rules: Rules, tableBytes: Int, threads: Int) {
    workers = Move.allCases.map { _ in Slot(rules: rules, tableBytes: tableBytes / 4) }
    self.threads = threads
  }

  func begin(minimumProbability: Float) {
    for slot in workers { slot.search.withLock { $0.worker.begin(minimumProbability: minimumProbability) } }
  }

  /// Afterstates valued since `begin`.
  var nodes: Int {
    workers.reduce(0) { sum, slot in sum + slot.search.withLock { $0.worker.nodes } }
  }

  func forget() {
    for slot in workers { slot.search.withLock { $0.worker.forget() } }
  }

  /// Reward plus value by move number; `nil` when the search was stopped before it was done.
  func sums(
    of successors: Successors, plies: Int, stop: StopCondition, by evaluator: some Evaluator
  ) -> SIMD4<Float>? {
    let next = Atomic(0)
    let count = successors.legal.count
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
      while true {
        let rank = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard rank < count else { break }
        let move = successors.legal.move(ofRank: rank)
        workers[move.rawValue].search.withLock { search in
          search.worker.stop(on: stop)
          search.value = search.worker.value(
            of: successors.afterstate(of: move), plies: plies, probability: .one, by: evaluator)
        }
      }
    }
    var sums = SIMD4<Float>(repeating: -.infinity)
    for move in successors.legal.moves {
      let (value, isStopped) = workers[move.rawValue].search.withLock { ($0.value, $0.worker.isStopped) }
      if isStopped { return nil }
      sums[move.rawValue] = Float(successors.reward(of: move)) + value
    }
    return sums
  }
}
