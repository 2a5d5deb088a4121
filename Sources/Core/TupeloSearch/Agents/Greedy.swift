public import TupeloEngine

/// Plays the move with the largest reward plus value (1-ply), for evaluators that support interleaved games.
///
/// `Expectimax` with one ply plays the same moves with any evaluator. This type owns buffers, which copies share: a
/// copy is for the same thread.
public struct Greedy<E: InterleavingEvaluator>: AnalyzingAgent, InterleavingAgent {
  private let choice: GreedyChoice
  /// Values the moves in an analysis.
  private var search: Expectimax<E>

  public init(_ evaluator: E, rules: Rules = .standard) {
    choice = GreedyChoice(by: evaluator.makeMoveValues(), rules: rules)
    search = Expectimax(evaluator, plies: 1, rules: rules)
  }

  public var gamesAtOnce: Int { choice.boards }

  public mutating func expect(_ board: Board) { choice.expect(board) }

  public mutating func move(on board: Board) -> Move? { choice.move(on: board) }

  public mutating func analyze(_ board: Board) -> MoveAnalysis { search.analyze(board) }
}
