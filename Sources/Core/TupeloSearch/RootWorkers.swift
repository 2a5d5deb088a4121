internal import TupeloBase
internal import TupeloEngine

/// Searches the moves of the root with a worker for each thread.
///
/// Each worker has its own table, and gets the same moves however fast the other workers are. So values, nodes and
/// tables are equal in every run.
struct RootWorkers {
  private let workers: [Locked<ExpectimaxWorker>]

  /// - Throws: `SearchTableError` when there is no memory for the tables.
  init(rules: Rules, tableBytes: Int, threads: Int) throws(SearchTableError) {
    workers = try (0..<threads).map { _ throws(SearchTableError) in
      let memory = tableBytes > 0 ? try TranspositionTable(byteCount: tableBytes) : nil
      return Locked(ExpectimaxWorker(rules: rules, memory: memory))
    }
  }

  func forget() {
    for worker in workers { worker.withLock { $0.forget() } }
  }

  /// Reward plus value by move number, in score points; minus infinity for illegal moves. `nil` when the search was
  /// stopped before it was done.
  ///
  /// - Parameter nodes: the number of afterstates valued in this search, 0 at its beginning; it grows, also when it is
  ///   stopped
  func sums(
    of successors: Successors, step: SearchStep, stop: StopCondition, nodes: inout Int, by evaluator: some Evaluator
  ) -> SIMD4<Float>? {
    #if !hasFeature(Embedded)
    // A greedy step is too short for several threads. Only one thread knows when a limit on nodes is reached.
    let parts = step.plies == 1 || stop.nodes < .max ? 1 : min(workers.count, successors.legal.count)
    if parts > 1 {
      return sums(of: successors, parts: parts, step: step, stop: stop, nodes: &nodes, by: evaluator)
    }
    #endif
    return workers[0].withLock { $0.sums(of: successors, step: step, stop: stop, nodes: &nodes, by: evaluator) }
  }

  #if !hasFeature(Embedded)
  private func sums(
    of successors: Successors, parts: Int, step: SearchStep, stop: StopCondition, nodes: inout Int,
    by evaluator: some Evaluator
  ) -> SIMD4<Float>? {
    let found = Parallel.map(count: parts, threads: parts) { part in
      var nodes = 0
      let sums = workers[part].withLock {
        $0.sums(of: successors, part: part, of: parts, step: step, stop: stop, nodes: &nodes, by: evaluator)
      }
      return (sums: sums, nodes: nodes)
    }
    nodes += found.reduce(0) { $0 + $1.nodes }
    var all = SIMD4<Float>(repeating: -.infinity)
    for part in found {
      guard let sums = part.sums else { return nil }
      all.replace(with: sums, where: sums .!= -.infinity)
    }
    return all
  }
  #endif
}
