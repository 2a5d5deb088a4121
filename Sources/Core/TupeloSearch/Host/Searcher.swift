internal import Dispatch
internal import TupeloBase
public import TupeloEngine

/// A search for apps. It runs off the main actor, can be cancelled, and keeps its table from one search to the next.
///
/// Searches run one after the other, in the order of the calls. A cancelled search leaves the queue at once. An app
/// that needs several searches at once uses several searchers.
public final class Searcher<E: Evaluator>: Sendable {
  /// The limits of a search for which the call gives no limits.
  public let limits: SearchLimits
  private let search: Locked<Expectimax<E>>
  private let queue = DispatchQueue(label: "tupelo.searcher", qos: .userInitiated)
  /// The running search holds this semaphore. Unlike the lock of `search`, a caller can wait for it with a time limit.
  private let turn = DispatchSemaphore(value: 1)

  /// Makes a searcher with a table of `Expectimax.defaultTableBytes`.
  ///
  /// - Parameters:
  ///   - evaluator: gives the values of afterstates, such as a network
  ///   - limits: the limits of searches for which the call gives no limits. The default, 3 plies, gives equal moves on
  ///     every machine. Each search that uses these limits checks them.
  ///   - rules: the rules of the game
  ///   - threads: the number of root moves that are searched at once: 1 to 4; other numbers count as the nearest of
  ///     these. A search with a limit on nodes uses one thread
  public init(_ evaluator: E, limits: SearchLimits = .plies(3), rules: Rules = .standard, threads: Int = 1) {
    self.limits = limits
    search = Locked(Expectimax(evaluator, limits: SearchLimits(), rules: rules, threads: threads))
  }

  /// Makes a searcher with transposition tables of a given size.
  ///
  /// - Parameters:
  ///   - evaluator: gives the values of afterstates, such as a network
  ///   - limits: the limits of searches for which the call gives no limits
  ///   - rules: the rules of the game
  ///   - tableBytes: memory for the transposition table of each thread, 0 for none
  ///   - threads: the number of root moves that are searched at once, as above
  /// - Throws: `SearchTableError` when there is no memory for the tables.
  public init(
    _ evaluator: E, limits: SearchLimits = .plies(3), rules: Rules = .standard, tableBytes: Int, threads: Int = 1
  ) throws(SearchTableError) {
    self.limits = limits
    search = Locked(
      try Expectimax(evaluator, limits: SearchLimits(), rules: rules, tableBytes: tableBytes, threads: threads))
  }

  /// The best move on `board`, found in the background; `nil` when no move is legal. The time limit counts from the
  /// start of the search.
  ///
  /// - Parameters:
  ///   - board: the board to search from
  ///   - limits: the limits of this search; those of the searcher by default
  /// - Throws: what `analyze(_:limits:)` throws.
  public func move(on board: Board, limits: SearchLimits? = nil) async throws -> Move? {
    try await analyze(board, limits: limits).best?.move
  }

  /// Values the moves on `board` in the background. The time limit counts from the start of the search.
  ///
  /// - Parameters:
  ///   - board: the board to search from
  ///   - limits: the limits of this search; those of the searcher by default
  /// - Throws: `CancellationError` when the task is cancelled: at once while the search waits for earlier searches, and
  ///   within about a thousand evaluations while it runs. `SearchLimitsError` when a limit is outside its range.
  public func analyze(_ board: Board, limits: SearchLimits? = nil) async throws -> MoveAnalysis {
    let limits = limits ?? self.limits
    try limits.check()
    let question = Question()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard question.ask(continuation) else { return }
        queue.async {
          guard let continuation = question.take() else { return }
          continuation.resume(
            with: Result { try self.analyze(board, limits: limits, cancellation: question.cancellation) })
        }
      }
    } onCancel: {
      question.cancel()
    }
  }

  /// Values the moves on `board` on the caller's thread. The call waits for earlier searches.
  ///
  /// - Parameters:
  ///   - board: the board to search from
  ///   - limits: the limits of this search; those of the searcher by default
  ///   - cancellation: ends the search from another thread; `nil` for a search that cannot be cancelled
  /// - Throws: `CancellationError` if `cancellation` was set before the search was done, within a few milliseconds,
  ///   also while the search waited; `SearchLimitsError` when a limit is outside its range.
  public func analyze(
    _ board: Board, limits: SearchLimits? = nil, cancellation: SearchCancellation?
  ) throws -> MoveAnalysis {
    let limits = limits ?? self.limits
    try limits.check()
    try awaitTurn(cancellation)
    defer { turn.signal() }
    return try search.withLock { try $0.analyze(board, limits: limits, cancellation: cancellation) }
  }

  private func awaitTurn(_ cancellation: SearchCancellation?) throws(CancellationError) {
    guard let cancellation else { return turn.wait() }
    while turn.wait(timeout: .now() + .milliseconds(2)) == .timedOut {
      guard !cancellation.isCancelled else { throw CancellationError() }
    }
  }

  /// Clears all remembered values. Call it when the evaluator's values have changed.
  public func forget() {
    search.withLock { $0.forget() }
  }
}

/// A search of a task, which waits in the queue until it is taken from the queue or cancelled.
private final class Question: Sendable {
  typealias Continuation = CheckedContinuation<MoveAnalysis, any Error>

  let cancellation = SearchCancellation()
  /// The task that waits; `nil` before it waits, and after the search was taken or cancelled.
  private let waiting = Locked<Continuation?>(nil)

  /// Begins to wait.
  ///
  /// - Returns: false if the search was cancelled before. Then the task has its error.
  func ask(_ continuation: Continuation) -> Bool {
    let isAsked = waiting.withLock { waiting in
      // `cancel()` sets the flag before it takes the lock, so one of the two calls sees the effect of the other.
      guard !cancellation.isCancelled else { return false }
      waiting = continuation
      return true
    }
    if !isAsked { continuation.resume(throwing: CancellationError()) }
    return isAsked
  }

  /// The waiting task, which gets the result; `nil` if the search was cancelled.
  func take() -> Continuation? {
    waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
  }

  func cancel() {
    cancellation.cancel()
    take()?.resume(throwing: CancellationError())
  }
}
