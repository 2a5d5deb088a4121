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
    let worker: Mutex<ExpectimaxWorker>

    init(rules: Rules, tableBytes: Int) {
      worker = Mutex(
        ExpectimaxWorker(rules: rules, memory: tableBytes > 0 ? TranspositionTable(byteCount: tableBytes) : nil))
    }
  }

  init(rules: Rules, tableBytes: Int, threads: Int) {
    workers = Move.allCases.map { _ in Slot(rules: rules, tableBytes: tableBytes / 4) }
    self.threads = threads
  }

  func begin(minimumProbability: Float) {
    for slot in workers { slot.worker.withLock { $0.begin(minimumProbability: minimumProbability) } }
  }

  /// Afterstates valued since `begin`.
  var nodes: Int {
    workers.reduce(0) { sum, slot in sum + slot.worker.withLock { $0.nodes } }
  }

  func forget() {
    for slot in workers { slot.worker.withLock { $0.forget() } }
  }

  /// Reward plus value by move number; `nil` when the search was stopped before it was done.
  func sums(
    of successors: Successors, plies: Int, stop: StopCondition, by evaluator: some Evaluator
  ) -> SIMD4<Float>? {
    let result = Mutex<(sums: SIMD4<Float>, isStopped: Bool)>((SIMD4(repeating: -.infinity), false))
    let next = Atomic(0)
    let count = successors.legal.count
    DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
      while true {
        let rank = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard rank < count else { break }
        let move = successors.legal.move(ofRank: rank)
        let (value, isStopped) = workers[move.rawValue].worker.withLock { worker in
          worker.stop(on: stop)
          let value = worker.value(
            of: successors.afterstate(of: move), plies: plies, probability: .one, by: evaluator)
          return (value, worker.isStopped)
        }
        result.withLock {
          $0.sums[move.rawValue] = Float(successors.reward(of: move)) + value
          $0.isStopped = $0.isStopped || isStopped
        }
      }
    }
    return result.withLock { $0.isStopped ? nil : $0.sums }
  }
}
