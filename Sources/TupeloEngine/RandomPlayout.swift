/// Plays a position to its end by uniformly random legal moves: the engine alone at full speed.
public struct RandomPlayout: Sendable {
  private let table: MoveTable
  private let chance: ChanceModel

  /// What a playout came to.
  public struct Result: Hashable, Sendable {
    public var board: Board
    /// Score points gained on the way.
    public var score: Int
    public var moves: Int
  }

  public init(rules: Rules = .standard) {
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
  }

  /// Plays on from `board` until no move is legal, or until `limit` moves have been played.
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

  /// One random move and the tile after it; `nil` when the game is over.
  @inline(__always)
  private func step(_ board: Board, using random: inout RandomStream) -> (board: Board, reward: Int)? {
    let bits = board.bits
    let transposed = bits.nibblesTransposed
    let across = table.slideRows(bits)
    let along = table.slideColumns(transposed: transposed)
    guard board.overflow == 0, across.isExact, along.isExact else { return stepByRules(board, using: &random) }
    let legal = MoveSet(
      up: along.toStart != transposed, right: across.toEnd != bits, down: along.toEnd != transposed,
      left: across.toStart != bits)
    if legal.isEmpty { return nil }
    let number = legal.number(ofRank: random.next(below: legal.count))
    let isHorizontal = number & 1 == 1
    let toStart = isHorizontal ? across.toStart : along.toStart
    let toEnd = isHorizontal ? across.toEnd : along.toEnd
    // Up (0) and left (3) slide to the start of a line.
    let slid = number == 0 || number == 3 ? toStart : toEnd
    let upright = slid.nibblesTransposed
    let after = Afterstate(bits: isHorizontal ? slid : upright)
    let reward = isHorizontal ? across.reward : along.reward
    return (chance.board(after: after, using: &random), Int(reward))
  }

  private func stepByRules(_ board: Board, using random: inout RandomStream) -> (board: Board, reward: Int)? {
    let successors = table.successors(of: board)
    if successors.legal.isEmpty { return nil }
    let move = successors.legal.move(ofRank: random.next(below: successors.legal.count))
    return (chance.board(after: successors.afterstate(of: move), using: &random), successors.reward(of: move))
  }
}
