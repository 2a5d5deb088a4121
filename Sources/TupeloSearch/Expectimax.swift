public import TupeloEngine

/// Expectimax search over an evaluator of afterstates.
///
/// Plies as in the papers: 1 is greedy on reward + V(afterstate); each further ply adds one layer of chance and one of choice.
/// Exact for its depth: no pruning, every chance outcome counted with its probability.
public struct Expectimax<E: Evaluator>: Agent {
  public let evaluator: E
  public let plies: Int
  private let table: MoveTable
  private let chance: ChanceModel
  private var leaves = LeafBatch()
  /// Afterstates valued in the current search.
  private var nodes = 0

  /// - Precondition: `plies` is at least 1.
  public init(_ evaluator: E, plies: Int = 1, rules: Rules = .standard) {
    precondition(plies >= 1, "a search has at least one ply")
    self.evaluator = evaluator
    self.plies = plies
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
  }

  public mutating func move(on board: Board) -> Move? {
    best(of: table.successors(of: board), plies: plies)?.move
  }

  /// Values every legal move.
  ///
  /// - Complexity: about (4 * 2 * empty cells)^(plies - 1) evaluations.
  public mutating func analyze(_ board: Board) -> MoveAnalysis {
    nodes = 0
    let successors = table.successors(of: board)
    var moves: [(move: Move, reward: Int, value: Double)] = []
    for move in successors.legal.moves {
      let reward = successors.reward(of: move)
      let value = value(of: successors.afterstate(of: move), plies: plies)
      moves.append((move, reward, Double(reward) + Double(value)))
    }
    return MoveAnalysis(moves: moves, plies: plies, nodes: nodes)
  }

  /// The expected score still to come after an afterstate when `plies - 1` more moves are looked at, in score points.
  private mutating func value(of afterstate: Afterstate, plies: Int) -> Float {
    switch plies {
    case 1:
      nodes += 1
      return evaluator.value(of: afterstate)
    case 2:
      leaves.removeAll()
      for outcome in chance.outcomes(of: afterstate) {
        leaves.append(table.successors(of: afterstate.board(after: outcome)), probability: outcome.probability)
      }
      evaluateLeaves()
      return leaves.expectation
    default:
      var expected = 0.0
      for outcome in chance.outcomes(of: afterstate) {
        let successors = table.successors(of: afterstate.board(after: outcome))
        guard let best = best(of: successors, plies: plies - 1) else { continue }
        expected += outcome.probability * Double(best.sum)
      }
      return Float(expected)
    }
  }

  /// The move with the largest reward plus value, the first of equals, and that sum; `nil` when none is legal.
  private mutating func best(of successors: Successors, plies: Int) -> (move: Move, sum: Float)? {
    if plies == 1 {
      leaves.removeAll()
      leaves.append(successors, probability: 1)
      evaluateLeaves()
      guard let best = leaves.bestOfFirst else { return nil }
      return (successors.legal.move(ofRank: best.leaf), best.sum)
    }
    var best: (move: Move, sum: Float)?
    var mask = successors.legal.mask
    while mask != 0 {
      let move = Move(lowestOf: mask)
      mask &= mask &- 1
      let sum = Float(successors.reward(of: move)) + value(of: successors.afterstate(of: move), plies: plies)
      if best.map({ sum > $0.sum }) ?? true { best = (move, sum) }
    }
    return best
  }

  private mutating func evaluateLeaves() {
    nodes += leaves.count
    leaves.evaluate(by: evaluator)
  }
}
