public import TupeloEngine

/// Plays against the worst tile that may appear, instead of the average over tiles.
///
/// The value of an afterstate is the least value of the best reply, over all tiles of probability above zero on all
/// empty cells. It is never above the value of expectimax with the same plies. Plies are counted as in expectimax: 1 is
/// greedy. A board without a legal move is worth 0. The search is alpha-beta (Knuth & Moore 1975), which gives the
/// exact value of each move of the root.
///
/// This type owns buffers, which copies share: a copy is for the same thread.
public struct Minimax<E: Evaluator>: AnalyzingAgent {
  /// The search depth in plies; 1 is greedy.
  public let plies: Int
  private let table: MoveTable
  private let chance: ChanceModel
  private let leaves = MoveBatch()
  private var nodes = 0
  /// Ends the search of a move from another thread.
  private var cancellation: SearchCancellation?
  private let evaluator: E

  /// - Parameters:
  ///   - evaluator: gives the values of afterstates
  ///   - plies: the depth in 1...`SearchLimits.maximumPlies`; other numbers count as the nearest of these
  ///   - rules: the rules of the game
  public init(_ evaluator: E, plies: Int = 2, rules: Rules = .standard) {
    self.evaluator = evaluator
    self.plies = SearchLimits.clamped(plies: plies)
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
  }

  public mutating func stop(on cancellation: SearchCancellation) { self.cancellation = cancellation }

  public mutating func move(on board: Board) -> Move? {
    let successors = table.successors(of: board)
    guard successors.legal.count > 1 else { return successors.legal.first }
    return best(of: successors, plies: plies, above: -.infinity, below: .infinity)?.move
  }

  public mutating func analyze(_ board: Board) -> MoveAnalysis {
    nodes = 0
    let successors = table.successors(of: board)
    var sums = SIMD4<Float>(repeating: -.infinity)
    for move in successors.legal.moves {
      let value = worst(after: successors.afterstate(of: move), plies: plies, above: -.infinity, below: .infinity)
      sums[move.rawValue] = Float(successors.reward(of: move)) + value
    }
    return MoveAnalysis(of: successors, sums: sums, plies: plies, nodes: nodes)
  }

  /// The value of an afterstate: exact between the bounds; otherwise a bound on the side beyond which it lies.
  private mutating func worst(after afterstate: Afterstate, plies: Int, above low: Float, below high: Float) -> Float {
    if plies == 1 {
      nodes += 1
      return evaluator.value(of: afterstate)
    }
    // From now on results have no meaning, and the search only has to end.
    if cancellation?.isCancelled == true { return 0 }
    if plies == 2 {
      leaves.fill(after: afterstate, table: table, chance: chance)
      nodes += leaves.evaluate(0..<leaves.count, by: evaluator, memory: nil)
      return leaves.minimum(after: afterstate, chance: chance)
    }
    var worst = Float.infinity
    for outcome in chance.outcomes(of: afterstate) {
      let successors = table.successors(of: afterstate.board(after: outcome))
      let reply = best(of: successors, plies: plies - 1, above: low, below: min(high, worst))
      worst = min(worst, reply?.sum ?? 0)
      if worst <= low { break }
    }
    return worst
  }

  /// The best move and its reward plus value; if several are equal, the first of them; `nil` when no move is legal.
  private mutating func best(
    of successors: Successors, plies: Int, above low: Float, below high: Float
  ) -> (move: Move, sum: Float)? {
    guard !successors.legal.isEmpty else { return nil }
    var mask = successors.legal.mask
    var best = (move: Move(lowestOf: mask), sum: -Float.infinity)
    while mask != 0 {
      let move = Move(lowestOf: mask)
      mask &= mask &- 1
      let reward = Float(successors.reward(of: move))
      let floor = max(low, best.sum)
      // The bounds minus the reward, each moved outward by more than a rounding error.
      let value = worst(
        after: successors.afterstate(of: move), plies: plies, above: (floor - reward).nextDown,
        below: (high - reward).nextUp)
      let sum = reward + value
      if sum > best.sum { best = (move, sum) }
      if sum >= high { break }
    }
    return best
  }
}
