#if !hasFeature(Embedded)
internal import Dispatch
internal import Threads
public import TupeloEngine

/// A search for apps. It runs off the main actor, can be cancelled, and keeps its table from one question to the next.
///
/// Questions are answered one after the other, in the order of arrival. A question that is cancelled leaves the queue
/// at once. An app that wants several answers at once uses several searchers.
public final class Searcher<E: Evaluator>: Sendable {
  /// The limits of a question that brings none.
  public let limits: SearchLimits
  private let search: Locked<Expectimax<E>>
  private let queue = DispatchQueue(label: "tupelo.searcher", qos: .userInitiated)
  /// Held by the question that is being answered. Unlike the lock of `search`, it can be waited for with a time limit.
  private let turn = DispatchSemaphore(value: 1)

  /// Makes a searcher.
  ///
  /// - Parameters:
  ///   - evaluator: gives the values of afterstates, such as a network
  ///   - limits: the limits of questions that bring none. The default, 3 plies, gives the same moves on every machine.
  ///     They are checked by each question that uses them.
  ///   - rules: the rules of the game
  ///   - downgrading: lowers the tiles of late boards before they are searched
  ///   - tableBytes: memory for the transposition table, 0 for none; `Expectimax.defaultTableBytes` by default
  ///   - threads: the number of root moves that are searched at once: 1 to 4; other numbers count as the nearest of
  ///     these
  public init(
    _ evaluator: E, limits: SearchLimits = .plies(3), rules: Rules = .standard, downgrading: TileDowngrading? = nil,
    tableBytes: Int? = nil, threads: Int = 1
  ) {
    self.limits = limits
    search = Locked(
      Expectimax(
        evaluator, limits: SearchLimits(), rules: rules, downgrading: downgrading, tableBytes: tableBytes,
        threads: threads))
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
  /// - Throws: `CancellationError` when the task is cancelled: at once while the question waits for earlier ones, and
  ///   within about a thousand evaluations while it is searched. `SearchLimitsError` when a limit is outside its range.
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

  /// Values the moves on `board` on the caller's thread. It waits for earlier questions.
  ///
  /// - Parameters:
  ///   - board: the board to search from
  ///   - limits: the limits of this search; those of the searcher by default
  ///   - cancellation: ends the question from another thread; `nil` for a question that is not to be cancelled
  /// - Throws: `CancellationError` when `cancellation` was set before the search was done, also while the question
  ///   waited, within a few milliseconds; `SearchLimitsError` when a limit is outside its range.
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

/// A question of a task, which waits in the queue until it is taken from there or cancelled.
private final class Question: Sendable {
  typealias Continuation = CheckedContinuation<MoveAnalysis, any Error>

  let cancellation = SearchCancellation()
  /// The task that waits; `nil` before it asks, and after the question was taken or cancelled.
  private let waiting = Locked<Continuation?>(nil)

  /// Begins to wait.
  ///
  /// - Returns: false when the question was cancelled before. Then the task has its error.
  func ask(_ continuation: Continuation) -> Bool {
    let isAsked = waiting.withLock { waiting in
      // Set before the lock is taken in `cancel()`: one of the two sees what the other has done.
      guard !cancellation.isCancelled else { return false }
      waiting = continuation
      return true
    }
    if !isAsked { continuation.resume(throwing: CancellationError()) }
    return isAsked
  }

  /// The task that waits, for an answer; `nil` when the question was cancelled.
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
#endif
