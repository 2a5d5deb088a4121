public import TupeloEngine

/// Plays the move with the best average score of random or greedy rollouts.
///
/// This is pure Monte Carlo: each legal move gets the same number of rollouts, and each rollout is a game played to the
/// end. Random numbers depend on the game's seed and number, so a game is equal on any thread.
///
/// This type owns buffers, which copies share: a copy is for the same thread.
public struct MonteCarlo<E: Evaluator>: AnalyzingAgent {
  /// The policy that plays the rollouts.
  public enum Policy: Hashable, Sendable {
    /// A uniformly random legal move.
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
  /// Ends the rollouts of a move from another thread.
  private var cancellation: SearchCancellation?
  private let evaluator: E

  /// - Parameters:
  ///   - evaluator: used by the greedy policy only.
  ///   - rollouts: the number of rollouts for each legal move; numbers below 1 count as 1.
  ///   - policy: the policy that plays the rollouts.
  ///   - rules: the rules of the game.
  ///   - seed: the seed of random numbers before the first `beginGame`.
  public init(_ evaluator: E, rollouts: Int, policy: Policy = .greedy, rules: Rules = .standard, seed: UInt64 = 0) {
    self.evaluator = evaluator
    self.rollouts = max(rollouts, 1)
    self.policy = policy
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
    playout = RandomPlayout(rules: rules)
    random = .agentStream(seed: seed, number: 0)
    worker = ExpectimaxWorker(rules: rules, memory: nil)
  }

  public mutating func beginGame(seed: UInt64, number: UInt64) {
    random = .agentStream(seed: seed, number: number)
  }

  public mutating func stop(on cancellation: SearchCancellation) { self.cancellation = cancellation }

  public mutating func move(on board: Board) -> Move? {
    let successors = table.successors(of: board)
    guard successors.legal.count > 1 else { return successors.legal.first }
    return successors.best { mean(after: successors.afterstate(of: $0)).score }?.move
  }

  /// Values every legal move by its rollouts. In the result `plies` is 0 and `nodes` counts the moves of all rollouts.
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

  /// The average score of the rollouts from an afterstate, and the number of moves in all of them.
  private mutating func mean(after afterstate: Afterstate) -> (score: Double, moves: Int) {
    var (score, moves) = (0, 0)
    for _ in 0..<rollouts {
      if cancellation?.isCancelled == true { break }
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
      guard cancellation?.isCancelled != true, !successors.legal.isEmpty,
        let move = successors.legal.best(by: worker.greedySums(of: successors, by: evaluator))
      else { return (score, moves) }
      board = chance.board(after: successors.afterstate(of: move), using: &random)
      score += successors.reward(of: move)
      moves += 1
    }
  }
}

#if !hasFeature(Embedded)
extension MonteCarlo where E == HeuristicEvaluator {
  /// An agent with random rollouts, which need no evaluator.
  public init(rollouts: Int, rules: Rules = .standard, seed: UInt64 = 0) {
    self.init(
      HeuristicEvaluator(shape: rules.shape), rollouts: rollouts, policy: .random, rules: rules, seed: seed)
  }
}
#endif
