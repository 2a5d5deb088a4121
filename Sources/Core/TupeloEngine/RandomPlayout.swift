public import TupeloBase

/// Plays a position to its end by uniformly random legal moves. This measures the throughput of the engine without an
/// agent.
public struct RandomPlayout: Sendable {
  private let table: MoveTable
  private let chance: ChanceModel

  /// The result of a playout.
  public struct Result: Hashable, Sendable {
    public var board: Board
    /// The score points gained during the playout.
    public var score: Int
    public var moves: Int
  }

  public init(rules: Rules = .standard) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
  }

  /// Plays from `board` until no move is legal, or until `limit` moves have been played.
  public func play(_ board: Board, limit: Int = .max, using random: inout RandomStream) -> Result {
    var result = Result(board: board, score: 0, moves: 0)
    var stream = random
    while result.moves < limit, let next = step(result.board, using: &stream) {
      result.board = next.board
      result.score &+= next.reward
      result.moves &+= 1
    }
    random = stream
    return result
  }

  /// Plays one random move and lets a tile appear; `nil` when the game is over.
  @inline(__always)
  private func step(_ board: Board, using random: inout RandomStream) -> (board: Board, reward: Int)? {
    let bits = board.bits
    let transposed = bits.nibblesTransposed
    let across = table.slideRows(bits)
    let along = table.slideColumns(transposed: transposed)
    guard board.overflow == 0, across.isExact, along.isExact else { return stepByRules(board, using: &random) }
    let legal = MoveSet(
      up: along.toStart ^ transposed, right: across.toEnd ^ bits, down: along.toEnd ^ transposed,
      left: across.toStart ^ bits)
    if legal.isEmpty { return nil }
    let number = legal.number(ofRank: random.next(below: legal.count))
    // A table and a mask replace a branch, because a processor cannot predict a random choice.
    let slid = SIMD4(along.toStart, across.toEnd, along.toEnd, across.toStart)[number]
    let horizontal = 0 &- UInt64(truncatingIfNeeded: number & 1)
    let after = slid & horizontal | slid.nibblesTransposed & ~horizontal
    let reward = UInt64(across.reward) & horizontal | UInt64(along.reward) & ~horizontal
    return (chance.board(after: Afterstate(bits: after), using: &random), Int(reward))
  }

  private func stepByRules(_ board: Board, using random: inout RandomStream) -> (board: Board, reward: Int)? {
    let successors = table.successors(of: board)
    if successors.legal.isEmpty { return nil }
    let move = successors.legal.move(ofRank: random.next(below: successors.legal.count))
    return (chance.board(after: successors.afterstate(of: move), using: &random), successors.reward(of: move))
  }
}
