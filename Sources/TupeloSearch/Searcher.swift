internal import Dispatch
internal import Threads
public import TupeloEngine

/// A search for apps. It runs off the main actor, can be cancelled, and keeps its table from one question to the next.
///
/// Questions are answered one after the other, in the order of arrival. An app that wants several answers at once uses
/// several searchers.
public final class Searcher<E: Evaluator>: Sendable {
  private let search: Locked<Expectimax<E>>
  private let queue = DispatchQueue(label: "tupelo.searcher", qos: .userInitiated)

  /// - Parameters: as for `Expectimax`; the limits come with each question. The table has
  ///   `Expectimax.defaultTableBytes` by default.
  public init(
    _ evaluator: E, rules: Rules = .standard, downgrading: TileDowngrading? = nil, tableBytes: Int? = nil,
    threads: Int = 1
  ) {
    search = Locked(
      Expectimax(
        evaluator, limits: SearchLimits(), rules: rules, downgrading: downgrading, tableBytes: tableBytes,
        threads: threads))
  }

  /// Values the moves on `board` in the background. The time limit counts from the start of the search.
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

  /// Values the moves on `board` on the caller's thread. It waits for earlier questions.
  ///
  /// - Throws: `CancellationError` when `cancellation` ended the search.
  public func analyze(
    _ board: Board, limits: SearchLimits, cancellation: SearchCancellation? = nil
  ) throws(CancellationError) -> MoveAnalysis {
    try search.withLock { search throws(CancellationError) in
      try search.analyze(board, limits: limits, cancellation: cancellation)
    }
  }

  /// Clears all remembered values. Call it when the evaluator's values have changed.
  public func forget() {
    search.withLock { $0.forget() }
  }
}
