internal import Dispatch
internal import Threads
public import TupeloEngine

/// A search for apps: it thinks off the main actor, can be cancelled, and keeps its table from one question to the
/// next.
///
/// Questions are answered one after the other, in the order in which they come; an app that wants several at once has
/// several searchers.
public final class Searcher<E: Evaluator>: Sendable {
  private let search: Locked<Expectimax<E>>
  private let queue = DispatchQueue(label: "tupelo.searcher", qos: .userInitiated)

  /// - Parameters: as for `Expectimax`; the limits come with each question. The table has
  ///   `Expectimax.defaultTableBytes` unless said otherwise.
  public init(
    _ evaluator: E, rules: Rules = .standard, downgrading: TileDowngrading? = nil, tableBytes: Int? = nil,
    threads: Int = 1
  ) {
    search = Locked(
      Expectimax(
        evaluator, limits: SearchLimits(), rules: rules, downgrading: downgrading, tableBytes: tableBytes,
        threads: threads))
  }

  /// What the search thinks of the moves on `board`. The caller's thread is free meanwhile; time counts from when the
  /// search begins.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, within about a thousand evaluations.
  public func analysis(of board: Board, limits: SearchLimits) async throws -> MoveAnalysis {
    let cancellation = SearchCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Result { try self.analyze(board, limits: limits, cancellation: cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// The same at once, on the caller's thread; waits for questions that came before.
  ///
  /// - Throws: `CancellationError` when it was ended through `cancellation`.
  public func analyze(
    _ board: Board, limits: SearchLimits, cancellation: SearchCancellation? = nil
  ) throws(CancellationError) -> MoveAnalysis {
    try search.withLock { search throws(CancellationError) in
      try search.analyze(board, limits: limits, cancellation: cancellation)
    }
  }

  /// Forgets the values worked out so far: needed once the evaluator gives others than before.
  public func forget() {
    search.withLock { $0.forget() }
  }
}
