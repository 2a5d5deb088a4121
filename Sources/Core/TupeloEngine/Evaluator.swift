/// A value function of afterstates: the only interface between search and learned values.
///
/// Search uses only this protocol. Networks adopt it, and tests use a stub.
public protocol Evaluator: Sendable {
  /// The expected score still to come after `afterstate`, in score points.
  func value(of afterstate: Afterstate) -> Float

  /// Computes the values of many afterstates in one call, so that a network can overlap its memory accesses.
  ///
  /// - Parameters:
  ///   - afterstates: any number of positions
  ///   - values: receives one value per position, in score points; at least as long as `afterstates`
  func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>)
}

extension Evaluator {
  @inlinable
  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    for index in afterstates.indices {
      values[index] = value(of: afterstates[index])
    }
  }
}

/// An evaluator that is faster with interleaved games: while one game waits for memory, other games advance. Only
/// greedy play uses it.
public protocol InterleavingEvaluator: Evaluator {
  /// Makes memory for the values of the moves on a few boards. Each thread needs its own.
  func makeMoveValues() -> any MoveValues
}

/// Computes the values of the moves on a few boards in two steps: boards are announced first, and values are requested
/// later.
public protocol MoveValues: AnyObject {
  /// The number of boards that it keeps at a time, at least 1. It is also the suitable number of interleaved games.
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
  ///   - successors: the moves that were announced; their values may be requested any number of times
  ///   - place: the place that was announced
  func values(of successors: Successors, place: Int) -> SIMD4<Float>
}
