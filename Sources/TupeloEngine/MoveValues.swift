/// The values of the moves on a few boards, in two steps: for a caller that plays some games in turn. What a board needs comes from memory while
/// it moves on others.
///
/// It has buffers, so each thread has its own.
public protocol MoveValues: AnyObject {
  /// Names the moves on a board that will be asked for.
  ///
  /// - Parameter place: where the board is kept until another takes its place: 0 up to the number that was asked for
  func prepare(_ successors: Successors, place: Int)

  /// V(afterstate) by move number, in score points; meaningless where the move is illegal.
  ///
  /// - Parameters:
  ///   - successors: the same that were named
  ///   - place: the same
  func values(of successors: Successors, place: Int) -> SIMD4<Float>
}

/// Those of an evaluator that gains nothing by knowing them ahead.
@usableFromInline
final class EvaluatedMoves<E: Evaluator>: MoveValues {
  private let evaluator: E

  @usableFromInline
  init(_ evaluator: E) { self.evaluator = evaluator }

  @usableFromInline
  func prepare(_ successors: Successors, place: Int) {}

  @usableFromInline
  func values(of successors: Successors, place: Int) -> SIMD4<Float> {
    var values = SIMD4<Float>.zero
    for move in Move.allCases where successors.legal.contains(move) {
      values[move.rawValue] = evaluator.value(of: successors.afterstate(of: move))
    }
    return values
  }
}
