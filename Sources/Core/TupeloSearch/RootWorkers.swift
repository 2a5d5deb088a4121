internal import TupeloBase
internal import TupeloEngine

/// Searches the moves of the root in parallel.
///
/// Each move has its own worker and table, so values, nodes and tables do not depend on the number of threads.
struct RootWorkers {
  /// A worker by move number, each with the value that it found last.
  private let searches: [Locked<(worker: ExpectimaxWorker, value: Float)>]
  let threads: Int

  /// - Throws: `SearchTableError` when there is no memory for the tables.
  init(rules: Rules, tableBytes: Int, threads: Int) throws(SearchTableError) {
    do {
      searches = try Move.allCases.map { _ throws(SearchTableError) in
        try Self.search(rules: rules, tableBytes: tableBytes / 4)
      }
    } catch {
      throw SearchTableError(byteCount: tableBytes)
    }
    self.threads = threads
  }

  private static func search(
    rules: Rules, tableBytes: Int
  ) throws(SearchTableError) -> Locked<(worker: ExpectimaxWorker, value: Float)> {
    let memory = tableBytes > 0 ? try TranspositionTable(byteCount: tableBytes) : nil
    return Locked((ExpectimaxWorker(rules: rules, memory: memory), 0))
  }

  func begin() {
    for search in searches { search.withLock { $0.worker.begin() } }
  }

  /// The number of afterstates valued since `begin`.
  var nodes: Int {
    searches.reduce(0) { sum, search in sum + search.withLock { $0.worker.nodes } }
  }

  func forget() {
    for search in searches { search.withLock { $0.worker.forget() } }
  }

  /// Reward plus value by move number, in score points; `nil` when the search was stopped before it was done.
  func sums(
    of successors: Successors, plies: Int, root: PathProbability, stop: StopCondition, by evaluator: some Evaluator
  ) -> SIMD4<Float>? {
    Parallel.forEach(count: successors.legal.count, threads: threads) { rank in
      let move = successors.legal.move(ofRank: rank)
      searches[move.rawValue].withLock { search in
        search.worker.stop(on: stop)
        search.value = search.worker.value(
          of: successors.afterstate(of: move), plies: plies, probability: root, by: evaluator)
      }
    }
    var sums = SIMD4<Float>(repeating: -.infinity)
    for move in successors.legal.moves {
      let (value, isStopped) = searches[move.rawValue].withLock { ($0.value, $0.worker.isStopped) }
      if isStopped { return nil }
      sums[move.rawValue] = Float(successors.reward(of: move)) + value
    }
    return sums
  }
}
