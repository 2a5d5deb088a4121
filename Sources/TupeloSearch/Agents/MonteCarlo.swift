public import TupeloEngine

/// Plays the move after which games played to the end by a simple policy score best on average.
///
/// Pure Monte Carlo: the same number of rollouts for each legal move, every rollout a whole game. Draws its lots from
/// the game's seed and number, so a game is the same whichever thread plays it.
///
/// Owns buffers, which copies share: a copy is for the same thread.
public struct MonteCarlo<E: Evaluator>: AnalyzingAgent {
  /// Who plays the rollouts.
  public enum Policy: Hashable, Sendable {
    /// Any legal move with equal chance.
    case random
    /// The greedy move by the evaluator.
    case greedy
  }

  /// Rollouts for each legal move.
  public let rollouts: Int
  public let policy: Policy
  private let table: MoveTable
  private let chance: ChanceModel
  private let playout: RandomPlayout
  private var random: RandomStream
  private var worker: ExpectimaxWorker
  private let evaluator: E

  /// - Parameter evaluator: what the greedy policy goes by; the random one does not ask it.
  /// - Precondition: `rollouts` is at least 1.
  public init(_ evaluator: E, rollouts: Int, policy: Policy = .greedy, rules: Rules = .standard, seed: UInt64 = 0) {
    precondition(rollouts >= 1, "there is at least one rollout for each move")
    self.evaluator = evaluator
    self.rollouts = rollouts
    self.policy = policy
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    playout = RandomPlayout(rules: rules)
    random = .lots(seed: seed, number: 0)
    worker = ExpectimaxWorker(rules: rules, memory: nil)
  }

  public mutating func beginGame(seed: UInt64, number: UInt64) {
    random = .lots(seed: seed, number: number)
  }

  public mutating func move(on board: Board) -> Move? {
    let successors = table.successors(of: board)
    return successors.best { mean(after: successors.afterstate(of: $0)).score }?.move
  }

  /// Values every legal move by its rollouts. `plies` is 0 and `nodes` the moves played in them.
  public mutating func analyze(_ board: Board) -> MoveAnalysis {
    let successors = table.successors(of: board)
    var moves: [(move: Move, reward: Int, value: Double)] = []
    var played = 0
    for move in successors.legal.moves {
      let mean = mean(after: successors.afterstate(of: move))
      let reward = successors.reward(of: move)
      moves.append((move, reward, Double(reward) + mean.score))
      played += mean.moves
    }
    return MoveAnalysis(moves: moves, plies: 0, nodes: played)
  }

  /// The average score of the rollouts from an afterstate, and the moves played in all of them.
  private mutating func mean(after afterstate: Afterstate) -> (score: Double, moves: Int) {
    var (score, moves) = (0, 0)
    for _ in 0..<rollouts {
      let board = chance.board(after: afterstate, using: &random)
      switch policy {
      case .random:
        let result = playout.play(board, using: &random)
        score += result.score
        moves += result.moves
      case .greedy:
        let result = playGreedily(board)
        score += result.score
        moves += result.moves
      }
    }
    return (Double(score) / Double(rollouts), moves)
  }

  private mutating func playGreedily(_ start: Board) -> (score: Int, moves: Int) {
    var (board, score, moves) = (start, 0, 0)
    while true {
      let successors = table.successors(of: board)
      guard let best = worker.best(of: successors, plies: 1, probability: .one, by: evaluator) else {
        return (score, moves)
      }
      board = chance.board(after: successors.afterstate(of: best.move), using: &random)
      score += successors.reward(of: best.move)
      moves += 1
    }
  }
}

extension MonteCarlo where E == HeuristicEvaluator {
  /// With random rollouts, which need no evaluator.
  public init(rollouts: Int, rules: Rules = .standard, seed: UInt64 = 0) {
    self.init(
      HeuristicEvaluator(shape: rules.shape), rollouts: rollouts, policy: .random, rules: rules, seed: seed)
  }
}
