/// An evaluator that gains from being told of boards ahead: while the memory of one game's board is on its way, other
/// games go on. Only greedy play knows of it.
public protocol InterleavingEvaluator: Evaluator {
  /// Room for the values of the moves on a few boards. Each thread has its own.
  func makeMoveValues() -> any MoveValues
}

/// The values of the moves on a few boards, in two steps: announced first, asked for later.
public protocol MoveValues: AnyObject {
  /// How many boards it keeps at a time, and so how many games a thread had better play in turn; at least 1.
  var boards: Int { get }

  /// Announces the moves on a board.
  ///
  /// - Parameter place: where the board is kept until another takes its place, in `0..<boards`; it traps elsewhere
  func prepare(_ successors: Successors, place: Int)

  /// What `Evaluator.value(of:)` says of each afterstate at the time of the call, by move number; meaningless where the
  /// move is illegal.
  ///
  /// - Parameters:
  ///   - successors: the same that were announced, any number of times
  ///   - place: the same
  func values(of successors: Successors, place: Int) -> SIMD4<Float>
}
