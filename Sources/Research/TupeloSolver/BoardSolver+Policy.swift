internal import TupeloBase
public import TupeloEngine

/// Computes exact values of policies by following all games at once.
///
/// The solver computes the probability that a game reaches a board, layer by layer. Every move adds its reward times
/// the probability that it is played. Memory holds only three layers of the boards that the policy reaches.
extension BoardSolver {
  /// The boards that count as one.
  public enum Scope: Sendable {
    /// Every board counts on its own: exact for every policy.
    case allBoards
    /// Symmetric boards count as one. The policy chooses a move only for the canonical form, and the move is mapped to
    /// the symmetric boards. This is about eight times faster on a square board, and four times on a rectangle.
    ///
    /// The result is the exact value if the policy treats symmetric boards alike. Networks that share weights over
    /// symmetries do so, apart from the rounding of their sums and from ties: the first of equal moves may be a
    /// different move on the symmetric board.
    case upToSymmetry
  }

  /// The exact value of the greedy policy of an evaluator, which `Expectimax` with one ply plays.
  ///
  /// The policy plays the move with the largest reward + V(afterstate) in single precision; if several are equal, the
  /// first in the order up, right, down, left.
  ///
  /// - Complexity: linear in the boards that the policy reaches; all legal moves of each are evaluated.
  public func value(
    ofGreedyPolicyOf evaluator: some Evaluator, scope: Scope = .allBoards,
    progress: (SolverProgress) -> Void = { _ in }
  ) -> PolicyValue {
    let greedy = GreedyPolicy(evaluator: evaluator, table: moves)
    return value(of: { greedy.moves(on: $0) }, scope: scope, progress: progress)
  }

  /// The exact value of any policy that depends on the board alone. A game ends where the policy returns `nil` or an
  /// illegal move.
  ///
  /// - Parameters:
  ///   - policy: gives the moves on some boards; called from several threads with at most 256 boards, each of them once
  ///   - scope: the boards that count as one
  ///   - progress: called after each layer
  public func value(
    of policy: @Sendable ([Board]) -> [Move?], scope: Scope = .allBoards,
    progress: (SolverProgress) -> Void = { _ in }
  ) -> PolicyValue {
    let follower = PolicyFollower(moves: moves, chance: chance, code: code, scope: scope)
    let layerCount = 1 << (rules.shape.cellCount + 1)
    var pending: [[[Flow]]] = Array(repeating: Array(repeating: [], count: Flow.partCount), count: layerCount + 2)
    for (start, chance) in StartDistribution(rules, name: follower.name, position: code.position).boards {
      var flow = Flow()
      flow.append(start, chance)
      pending[Board(bits: code.position(of: start)).tileSum / 2][Flow.part(of: start)].append(flow)
    }
    var total = PolicyTally(exponents: code.base)
    for sum in 0..<layerCount {
      let arriving = pending[sum]
      pending[sum] = []
      let size = arriving.reduce(0) { $0 + $1.reduce(0) { $0 + $1.codes.count } }
      guard size > 0 else { continue }
      let threads = size < 2048 ? 1 : threads
      let played = Parallel.map(count: Flow.partCount, threads: threads) { part in
        follower.play(policy, on: Flow(sumOf: arriving[part]))
      }
      for part in played { total.add(part.tally) }
      let spread = Parallel.map(count: Flow.partCount, threads: threads) { part in
        follower.spread(Flow(sumOf: played.map { $0.afterstates[part] }))
      }
      for part in 0..<Flow.partCount {
        pending[sum + 1][part] += spread.map { $0.afterTwo[part] }
        pending[sum + 2][part] += spread.map { $0.afterFour[part] }
      }
      progress(SolverProgress(phase: .following, tileSum: 2 * sum, positions: total.positions))
    }
    return PolicyValue(
      expectedScore: total.score, expectedMoves: total.moves, largestTiles: total.largestTiles,
      positionCount: total.positions)
  }
}

/// Sums over the games so far, weighted by probability.
struct PolicyTally: Sendable {
  var score = 0.0
  var moves = 0.0
  var largestTiles: [Double]
  var positions = 0

  init(exponents: Int) {
    largestTiles = Array(repeating: 0, count: exponents)
  }

  mutating func add(_ other: PolicyTally) {
    score += other.score
    moves += other.moves
    positions += other.positions
    for exponent in largestTiles.indices { largestTiles[exponent] += other.largestTiles[exponent] }
  }
}

/// Computes the two steps of a layer: boards to afterstates by a policy, and afterstates to boards by chance.
struct PolicyFollower: Sendable {
  let moves: MoveTable
  let chance: ChanceModel
  let code: StateCode
  let scope: BoardSolver.Scope

  private static let batch = 256

  @inline(__always)
  func name(_ position: UInt64) -> UInt32 {
    switch scope {
    case .allBoards: code.code(of: position)
    case .upToSymmetry: code.canonicalCode(of: position)
    }
  }

  func play(_ policy: ([Board]) -> [Move?], on flow: Flow) -> (afterstates: [Flow], tally: PolicyTally) {
    var afterstates = Flow.emptyParts
    var tally = PolicyTally(exponents: code.base)
    tally.positions = flow.codes.count
    for start in stride(from: 0, to: flow.codes.count, by: Self.batch) {
      let range = start..<min(start + Self.batch, flow.codes.count)
      let boards = flow.codes[range].map { Board(bits: code.position(of: $0)) }
      let choices = policy(boards)
      precondition(choices.count == boards.count, "a policy answers for every board")
      for index in boards.indices {
        let chance = flow.chances[start + index]
        guard let move = choices[index], let outcome = moves.afterstate(of: move, on: boards[index]) else {
          tally.largestTiles[boards[index].largestExponent] += chance
          continue
        }
        tally.score += chance * Double(outcome.reward)
        tally.moves += chance
        let name = name(outcome.afterstate.bits)
        afterstates[Flow.part(of: name)].append(name, chance)
      }
    }
    return (afterstates, tally)
  }

  func spread(_ flow: Flow) -> (afterTwo: [Flow], afterFour: [Flow]) {
    var (afterTwo, afterFour) = (Flow.emptyParts, Flow.emptyParts)
    for index in flow.codes.indices {
      let grid = Afterstate(bits: code.position(of: flow.codes[index]))
      for outcome in chance.outcomes(of: grid) {
        let name = name(grid.board(after: outcome).bits)
        let part = Flow.part(of: name)
        let chance = flow.chances[index] * outcome.probability
        if outcome.exponent == 1 { afterTwo[part].append(name, chance) } else { afterFour[part].append(name, chance) }
      }
    }
    return (afterTwo, afterFour)
  }
}

/// The exact value of a policy, computed without playing games.
public struct PolicyValue: Hashable, Sendable {
  /// The expected score of a whole game, in score points.
  public let expectedScore: Double
  /// The expected number of moves of a game.
  public let expectedMoves: Double
  /// The probability that the largest tile on the last board is 2^exponent, by exponent.
  public let largestTiles: [Double]
  /// The number of boards that games under the policy reach.
  public let positionCount: Int

  /// The probability that a game makes a tile of 2^exponent or larger.
  public func reachProbability(ofExponent exponent: Int) -> Double {
    largestTiles.dropFirst(max(exponent, 0)).reduce(0, +)
  }

  /// The loss against score-maximising play.
  public func regret(to solution: ExactSolution) -> Regret {
    let points = solution.startValue - expectedScore
    return Regret(points: points, percent: 100 * points / solution.startValue)
  }

  public struct Regret: Hashable, Sendable {
    /// Score points per game.
    public let points: Double
    /// The loss in percent of the optimal expected score.
    public let percent: Double
  }
}
