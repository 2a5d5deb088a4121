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
  private let workers: RootWorkers
  private let table: MoveTable
  private let cellMask: UInt64
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
  ///     these. A search with a limit on nodes uses one thread, see `SearchLimits.nodes`
  public init(_ evaluator: E, limits: SearchLimits, rules: Rules = .standard, threads: Int = 1) {
    do {
      try self.init(evaluator, limits: limits, rules: rules, tableBytes: nil, threads: threads)
    } catch {
      preconditionFailure("\(error.description)")
    }
  }

  /// A search with transposition tables of a given size.
  ///
  /// - Parameters:
  ///   - evaluator: gives the values of afterstates
  ///   - limits: the limits of the search; a limit outside its range counts as the nearest limit within the range, see
  ///     `SearchLimits.clamped`
  ///   - rules: the rules of the game
  ///   - tableBytes: memory for the transposition table of each thread, 0 for no table; `nil` for 4 MiB from 3 plies
  ///     on, where it helps, otherwise 0
  ///   - threads: the number of root moves that are searched at once, as above
  /// - Throws: `SearchTableError` when there is no memory for the tables.
  public init(
    _ evaluator: E, limits: SearchLimits, rules: Rules = .standard, tableBytes: Int?, threads: Int = 1
  ) throws(SearchTableError) {
    let limits = limits.clamped
    self.evaluator = evaluator
    self.limits = limits
    workers = try RootWorkers(
      rules: rules,
      tableBytes: tableBytes ?? (limits.plies(emptyCells: 0) >= 3 ? Self.defaultTableBytes : 0),
      threads: min(max(threads, 1), 4))
    table = MoveTable(rules.shape)
    cellMask = rules.shape.cellMask
  }

  /// The default memory of the transposition table, in bytes.
  public static var defaultTableBytes: Int { 4 << 20 }

  /// The largest search depth in plies, without the extra ply of `SearchLimits.extensionEmptyCells`.
  public var plies: Int { limits.plies }

  /// Clears all remembered values. Call it when the evaluator's values have changed.
  public mutating func forget() { workers.forget() }

  /// Prepares a game. With a limit on nodes it clears the table, because remembered values would let some games search
  /// deeper than others.
  public mutating func beginGame(seed: UInt64, number: UInt64) {
    if limits.nodes != nil { forget() }
  }

  public mutating func stop(on cancellation: SearchCancellation) { self.cancellation = cancellation }

  /// The move with the largest value. A single legal move is not searched.
  public mutating func move(on board: Board) -> Move? {
    let successors = table.successors(of: board)
    guard successors.legal.count > 1 else { return successors.legal.first }
    let result = search(board, successors, limits: limits, cancellation: cancellation)
    return result.flatMap { successors.legal.best(by: $0.sums) }
  }

  /// Values every legal move. The analysis is empty when the flag of `stop(on:)` ended the search.
  ///
  /// - Complexity: at most (4 * 2 * empty cells)^(plies - 1) evaluations. Half of these are repetitions and left out.
  public mutating func analyze(_ board: Board) -> MoveAnalysis {
    do throws(CancellationError) {
      return try analyze(board, limits: limits, cancellation: cancellation)
    } catch {
      return MoveAnalysis(moves: [], plies: limits.plies, nodes: 0)
    }
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
    let successors = table.successors(of: board)
    guard let result = search(board, successors, limits: limits.clamped, cancellation: cancellation) else {
      throw CancellationError()
    }
    return MoveAnalysis(of: successors, sums: result.sums, plies: result.plies, nodes: result.nodes)
  }

  /// The values of the last completed step, its depth, and the number of afterstates valued in all steps; `nil` when
  /// the search was cancelled.
  ///
  /// The limits on time and nodes apply from the second step on, so the first step always completes. The results of the
  /// step that a limit ends are dropped.
  private func search(
    _ board: Board, _ successors: Successors, limits: SearchLimits, cancellation: SearchCancellation?
  ) -> (sums: SIMD4<Float>, plies: Int, nodes: Int)? {
    let deadline = limits.time.map(Deadline.init)
    var stop = StopCondition(cancellation: cancellation)
    var step = SearchStep(limits, emptyCells: (cellMask & ~board.occupiedMask).nonzeroBitCount)
    var best: (sums: SIMD4<Float>, plies: Int)?
    var nodes = 0
    repeat {
      guard let sums = workers.sums(of: successors, step: step, stop: stop, nodes: &nodes, by: evaluator) else { break }
      best = (sums, step.plies)
      (stop.deadline, stop.nodes) = (deadline, limits.nodes ?? .max)
    } while step.deepen() && !stop.isMet(nodes: nodes)
    guard cancellation?.isCancelled != true, let best else { return nil }
    return (best.sums, best.plies, nodes)
  }
}
