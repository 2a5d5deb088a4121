public import TupeloEngine

/// Expectimax and minimax in their plainest form, over matrices of tiles: no batches, no table, no code of the
/// engine's.
public struct NaiveExpectimax {
  public let rules: Rules
  /// Boards less probable than this, counted from the root, are valued greedily.
  public let minimumProbability: Double
  /// Whether a chance node takes the least value of its outcomes instead of their mean.
  public let isAdversarial: Bool
  private let evaluate: (Afterstate) -> Float

  public init(
    _ evaluator: some Evaluator, rules: Rules, minimumProbability: Double = 0, isAdversarial: Bool = false
  ) {
    self.rules = rules
    self.minimumProbability = minimumProbability
    self.isAdversarial = isAdversarial
    evaluate = { evaluator.value(of: $0) }
  }

  /// Reward plus value of a move; `nil` when it is illegal.
  public func value(of move: Move, on board: Board, plies: Int) -> Double? {
    value(of: move, on: ReferenceBoard(board, shape: rules.shape), plies: plies, probability: 1)
  }

  private func value(of move: Move, on board: ReferenceBoard, plies: Int, probability: Double) -> Double? {
    guard let next = board.moved(move) else { return nil }
    guard plies > 1 else { return Double(next.reward) + Double(evaluate(next.board.engineAfterstate)) }
    let branches = next.board.spawns(fourProbability: rules.fourProbability).map { spawn in
      let path = probability * spawn.probability
      let deeper = path < minimumProbability ? 1 : plies - 1
      let best =
        Move.allCases.compactMap { value(of: $0, on: spawn.board, plies: deeper, probability: path) }.max() ?? 0
      return (probability: spawn.probability, best: best)
    }
    let expected =
      isAdversarial
      ? branches.map(\.best).min() ?? 0 : branches.reduce(0) { $0 + $1.probability * $1.best }
    return Double(next.reward) + expected
  }
}

/// A value that depends on every cell, is not symmetric, and is cheap to compute twice.
public struct HashEvaluator: Evaluator {
  public init() {}

  public func value(of afterstate: Afterstate) -> Float {
    Float((afterstate.bits &* 0x9e37_79b9_7f4a_7c15) >> 48) / 16
  }
}
