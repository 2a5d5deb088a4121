/// An evaluator that is faster with interleaved games: while one game waits for memory, others advance. Only greedy
/// play uses it.
public protocol InterleavingEvaluator: Evaluator {
  /// Makes memory for the values of the moves on a few boards. Each thread has its own.
  func makeMoveValues() -> any MoveValues
}

/// Computes the values of the moves on a few boards in two steps: boards are announced first, and values are asked for
/// later.
public protocol MoveValues: AnyObject {
  /// The number of boards it keeps at a time, which is also the suitable number of interleaved games; at least 1.
  var boards: Int { get }

  /// Announces the moves on a board.
  ///
  /// - Parameters:
  ///   - successors: the legal moves on the board, with their afterstates
  ///   - place: the place of the board, in `0..<boards`, until another board replaces it; it traps for other places
  func prepare(_ successors: Successors, place: Int)

  /// The value of each afterstate at the time of the call, by move number, as `Evaluator.value(of:)` gives it. Entries
  /// of illegal moves have no meaning.
  ///
  /// - Parameters:
  ///   - successors: the moves that were announced; may be asked any number of times
  ///   - place: the place that was announced
  func values(of successors: Successors, place: Int) -> SIMD4<Float>
}
