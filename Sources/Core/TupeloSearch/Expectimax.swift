public import TupeloEngine

/// Expectimax search over an evaluator of afterstates.
///
/// Plies are counted as in the papers: 1 is greedy on reward + V(afterstate); each further ply adds one chance layer
/// and one max layer. The search is exact for its depth: every chance outcome counts with its probability. The
/// exceptions are limits on time or nodes, and a `SearchLimits.minimumProbability` above 0.
///
/// This type owns buffers and a transposition table, which copies share: a copy is for the same thread.
public struct Expectimax<E: Evaluator>: AnalyzingAgent {
  /// The limits of the search; each limit is within its range.
  public let limits: SearchLimits
  private var worker: ExpectimaxWorker
  /// The workers of a search on several threads, which does not use `worker`.
  private let rootWorkers: RootWorkers?
  private let cellMask: UInt64
  /// Whether a move needs only the worker's recursion to a fixed depth.
  private let isPlain: Bool
  /// Ends the search of a move from another thread.
  private var cancellation: SearchCancellation?
  // This field is last, so that the other fields have the same offsets for every evaluator type.
  public let evaluator: E

  /// A search to a fixed depth.
  ///
  /// - Parameters:
  ///   - evaluator: gives the values of afterstates
  ///   - plies: the depth in 1...`SearchLimits.maximumFixedPlies`; other numbers count as the nearest of these
  ///   - rules: the rules of the game
  public init(_ evaluator: E, plies: Int = 1, rules: Rules = .standard) {
    self.init(evaluator, limits: .plies(plies), rules: rules)
  }

  /// A search with the usual transposition table: 4 MiB from 3 plies on, where it helps, otherwise none.
  ///
  /// - Parameters:
  ///   - evaluator: gives the values of afterstates
  ///   - limits: the limits of the search; a limit outside its range counts as the nearest limit within the range, see
  ///     `SearchLimits.clamped`
  ///   - rules: the rules of the game
  ///   - threads: the number of root moves that are searched at once: 1 to 4; other numbers count as the nearest of
  ///     these
  public init(_ evaluator: E, limits: SearchLimits, rules: Rules = .standard, threads: Int = 1) {
    do {
      try self.init(evaluator, limits: limits, rules: rules, tableBytes: nil, threads: threads)
    } catch {
      preconditionFailure("\(error.description)")
    }
  }

  /// A search with a transposition table of a given size.
  ///
  /// - Parameters:
  ///   - evaluator: gives the values of afterstates
  ///   - limits: the limits of the search; a limit outside its range counts as the nearest limit within the range, see
  ///     `SearchLimits.clamped`
  ///   - rules: the rules of the game
  ///   - tableBytes: memory for the transposition table, 0 for no table; `nil` for 4 MiB from 3 plies on, where it
  ///     helps, otherwise 0
  ///   - threads: the number of root moves that are searched at once: 1 to 4; other numbers count as the nearest of
  ///     these
  /// - Throws: `SearchTableError` when there is no memory for the table.
  public init(
    _ evaluator: E, limits: SearchLimits, rules: Rules = .standard, tableBytes: Int?, threads: Int = 1
  ) throws(SearchTableError) {
    let limits = limits.clamped
    self.evaluator = evaluator
    self.limits = limits
    let tableBytes = tableBytes ?? (limits.plies(emptyCells: 0) >= 3 ? Self.defaultTableBytes : 0)
    // With a limit on nodes only one thread searches, so that there is one count of nodes.
    let isParallel = threads > 1 && limits.nodes == nil
    worker = ExpectimaxWorker(
      rules: rules, memory: isParallel || tableBytes <= 0 ? nil : try TranspositionTable(byteCount: tableBytes))
    rootWorkers = isParallel ? try RootWorkers(rules: rules, tableBytes: tableBytes, threads: min(threads, 4)) : nil
    cellMask = rules.shape.cellMask
    isPlain = limits.isFixed && !isParallel
  }

  /// The default memory of the transposition table, in bytes.
  public static var defaultTableBytes: Int { 4 << 20 }

  /// The largest search depth in plies, without the extra ply of `SearchLimits.extensionEmptyCells`.
  public var plies: Int { limits.plies }

  /// Clears all remembered values. Call it when the evaluator's values have changed.
  public mutating func forget() {
    worker.forget()
    rootWorkers?.forget()
  }

  /// Prepares a game. With a limit on nodes it clears the table, because remembered values would let some games search
  /// deeper than others.
  public mutating func beginGame(seed: UInt64, number: UInt64) {
    if limits.nodes != nil { forget() }
  }

  public mutating func stop(on cancellation: SearchCancellation) {
    self.cancellation = cancellation
    worker.stop(on: StopCondition(cancellation: cancellation))
  }

  public mutating func move(on board: Board) -> Move? {
    let successors = worker.table.successors(of: board)
    if isPlain {
      worker.begin()
      let root = PathProbability(rootOf: limits.minimumProbability)
      return worker.best(of: successors, plies: plies(on: board), probability: root, by: evaluator)?.move
    }
    guard !successors.legal.isEmpty else { return nil }
    let result = deepen(successors, limits: limits, plies: plies(on: board), cancellation: cancellation)
    return result.flatMap { successors.legal.best(by: $0.sums) }
  }

  /// Values every legal move. The analysis is empty when the flag of `stop(on:)` ended the search.
  ///
  /// - Complexity: at most (4 * 2 * empty cells)^(plies - 1) evaluations. Half of these are repetitions and left out.
  public mutating func analyze(_ board: Board) -> MoveAnalysis {
    let successors = worker.table.successors(of: board)
    guard !successors.legal.isEmpty,
      let result = deepen(successors, limits: limits, plies: plies(on: board), cancellation: cancellation)
    else { return MoveAnalysis(moves: [], plies: limits.plies, nodes: 0) }
    return MoveAnalysis(of: successors, sums: result.sums, plies: result.plies, nodes: nodes)
  }

  /// Values every legal move within `limits` instead of the agent's own limits.
  ///
  /// - Parameters:
  ///   - board: the board to search from.
  ///   - limits: the limits of this search; a limit outside its range counts as the nearest limit within the range.
  ///   - cancellation: ends the search from another thread; also a search to 1 ply, and before it begins.
  /// - Throws: `CancellationError` when `cancellation` was set before the search was done.
  public mutating func analyze(
    _ board: Board, limits: SearchLimits, cancellation: SearchCancellation? = nil
  ) throws(CancellationError) -> MoveAnalysis {
    let limits = limits.clamped
    let successors = worker.table.successors(of: board)
    let plies = limits.plies(emptyCells: emptyCells(on: board))
    guard cancellation?.isCancelled != true else { throw CancellationError() }
    guard !successors.legal.isEmpty else { return MoveAnalysis(moves: [], plies: plies, nodes: 0) }
    guard let result = deepen(successors, limits: limits, plies: plies, cancellation: cancellation) else {
      throw CancellationError()
    }
    return MoveAnalysis(of: successors, sums: result.sums, plies: result.plies, nodes: nodes)
  }

  /// The number of afterstates valued in the last search.
  private var nodes: Int { rootWorkers?.nodes ?? worker.nodes }

  private func plies(on board: Board) -> Int {
    limits.extensionEmptyCells == nil ? limits.plies : limits.plies(emptyCells: emptyCells(on: board))
  }

  private func emptyCells(on board: Board) -> Int {
    (cellMask & ~board.occupiedMask).nonzeroBitCount
  }

  /// The values of the last completed step, and its depth; `nil` when the search was cancelled.
  ///
  /// A search without a limit on time or nodes searches its depth directly. Otherwise it deepens step by step; see
  /// `SearchLimits`. It always completes the first step. It drops the results of the step during which a limit ends the
  /// search.
  private mutating func deepen(
    _ successors: Successors, limits: SearchLimits, plies: Int, cancellation: SearchCancellation?
  ) -> (sums: SIMD4<Float>, plies: Int)? {
    let deadline = limits.time.map { ContinuousClock.now + $0 }
    worker.begin()
    rootWorkers?.begin()
    defer { worker.stop(on: StopCondition(cancellation: self.cancellation)) }
    let cancelled = StopCondition(cancellation: cancellation)
    if limits.isFixed {
      let root = PathProbability(rootOf: limits.minimumProbability)
      guard let sums = sums(of: successors, plies: plies, root: root, stop: cancelled) else { return nil }
      // A shallow search may end before it checks the flag.
      return cancellation?.isCancelled == true ? nil : (sums, plies)
    }
    var step = SearchStep(limits, plies: plies)
    guard var best = sums(of: successors, plies: 1, root: step.root, stop: cancelled).map({ (sums: $0, plies: 1) })
    else { return nil }
    let stop = StopCondition(deadline: deadline, nodes: limits.nodes ?? .max, cancellation: cancellation)
    while step.deepen(), !stop.isMet(nodes: nodes),
      let deeper = sums(of: successors, plies: step.plies, root: step.root, stop: stop)
    {
      best = (deeper, step.plies)
    }
    return cancellation?.isCancelled == true ? nil : best
  }

  /// Reward plus value by move number, in score points; minus infinity for illegal moves. `nil` when the search was
  /// stopped.
  private mutating func sums(
    of successors: Successors, plies: Int, root: PathProbability, stop: StopCondition
  ) -> SIMD4<Float>? {
    if let rootWorkers, stop.nodes == .max, plies > 1 {
      return rootWorkers.sums(of: successors, plies: plies, root: root, stop: stop, by: evaluator)
    }
    worker.stop(on: stop)
    var sums = SIMD4<Float>(repeating: -.infinity)
    var mask = successors.legal.mask
    while mask != 0, !worker.isStopped {
      let move = Move(lowestOf: mask)
      mask &= mask &- 1
      let value = worker.value(
        of: successors.afterstate(of: move), plies: plies, probability: root, by: evaluator)
      sums[move.rawValue] = Float(successors.reward(of: move)) + value
    }
    return worker.isStopped ? nil : sums
  }
}
