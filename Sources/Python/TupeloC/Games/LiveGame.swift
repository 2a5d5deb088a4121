internal import TupeloEngine

/// A game of a batch while it is being played, in registers.
struct LiveGame {
  var board: Board
  var random: RandomStream
  /// Score points.
  var score: Int64
  var plies: Int64
  var steps: Int64
  /// Illegal actions since the last legal move.
  var illegalStreak: Int64
  var hasEnded: Bool
  /// The legal moves on the board.
  var legal: MoveSet
}

/// The result of one action in a game.
struct GameStep {
  var reward: Float = 0
  var isTerminated = false
  var isTruncated = false
  var isIllegal = false
  /// Whether tiles moved.
  var isMove = false
  var afterstate: Afterstate
}

extension GameBatch {
  /// A new game, which continues a random stream.
  ///
  /// The stream is a copy. If code took the address of a game, the game could not stay in registers.
  @inline(never)
  func newGame(_ random: RandomStream) -> LiveGame {
    var stream = random
    let board = rules.startBoard(using: &stream)
    return LiveGame(
      board: board, random: stream, score: 0, plies: 0, steps: 0, illegalStreak: 0, hasEnded: false,
      legal: table.legalMoves(on: board))
  }

  /// The legal moves on a board. The result equals `MoveTable.legalMoves(on:)`, and this code is compiled into the
  /// caller.
  @inline(__always)
  func legalMoves(on board: Board) -> MoveSet {
    guard board.overflow == 0 else { return table.legalMoves(on: board) }
    let transposed = board.bits.nibblesTransposed
    let across = table.slideRows(board.bits)
    let along = table.slideColumns(transposed: transposed)
    let (up, down): (UInt8, UInt8) = (along.toStart != transposed ? 1 : 0, along.toEnd != transposed ? 4 : 0)
    let (right, left): (UInt8, UInt8) = (across.toEnd != board.bits ? 2 : 0, across.toStart != board.bits ? 8 : 0)
    return MoveSet(mask: up | right | down | left)
  }

  /// Plays an action in a game that has not ended.
  ///
  /// - Parameter action: 0 to 3; only the lowest two bits count
  @inline(__always)
  func play(_ action: Int, in game: inout LiveGame) -> GameStep {
    var step = GameStep(afterstate: Afterstate(bits: game.board.bits, overflow: game.board.overflow))
    game.steps &+= 1
    if let outcome = slide(game.board, action & 3) {
      step.afterstate = outcome.afterstate
      step.reward = reward == .score ? Float(outcome.reward) : Self.log2Reward(game.board, outcome.afterstate)
      game.board = chance.board(after: outcome.afterstate, using: &game.random)
      game.score &+= Int64(outcome.reward)
      game.plies &+= 1
      game.illegalStreak = 0
      game.legal = legalMoves(on: game.board)
      step.isTerminated = game.legal.isEmpty
      step.isMove = true
    } else {
      game.legal = table.legalMoves(on: game.board)
      step.isIllegal = true
      game.illegalStreak &+= 1
      step.reward = illegalReward
      step.isTerminated = illegal == .terminate || game.legal.isEmpty
    }
    step.isTruncated =
      !step.isTerminated && (game.steps >= maximumSteps || game.illegalStreak >= maximumIllegal)
    game.hasEnded = step.isTerminated || step.isTruncated
    return step
  }

  /// The result of a move; `nil` for an illegal move. `MoveTable.afterstate(of:on:)` has the same results. This
  /// function has no branch that depends on the move, because actions are hard to predict.
  @inline(__always)
  private func slide(_ board: Board, _ action: Int) -> MoveOutcome? {
    let bits = board.bits
    let horizontal = 0 &- UInt64(truncatingIfNeeded: action & 1)
    let turned = bits & horizontal | bits.nibblesTransposed & ~horizontal
    let slide =
      rules.shape.isSquare || action & 1 == 1 ? table.slideRows(turned) : table.slideColumns(transposed: turned)
    guard board.overflow == 0, slide.isExact else {
      return Move(rawValue: action).flatMap { table.afterstate(of: $0, on: board) }
    }
    // Up and left go to the start of a line, right and down to its end.
    let toEnd = 0 &- UInt64(truncatingIfNeeded: (action ^ action >> 1) & 1)
    let slid = slide.toEnd & toEnd | slide.toStart & ~toEnd
    guard slid != turned else { return nil }
    let after = slid & horizontal | slid.nibblesTransposed & ~horizontal
    return MoveOutcome(afterstate: Afterstate(bits: after), reward: Int(slide.reward))
  }

  /// The sum of the exponents of the tiles that a move made.
  ///
  /// A merge of two tiles of exponent e makes one tile of exponent e + 1. So the merge takes one tile away, and changes
  /// the sum of all exponents by 1 - e: the new exponent is 2 minus that change.
  private static func log2Reward(_ board: Board, _ afterstate: Afterstate) -> Float {
    let merges = board.occupiedMask.nonzeroBitCount - afterstate.occupiedMask.nonzeroBitCount
    return Float(2 * merges - (exponentSum(of: afterstate) - exponentSum(of: board)))
  }

  private static func exponentSum(of grid: some TileGrid) -> Int {
    let bytes = (grid.bits & 0x0f0f_0f0f_0f0f_0f0f) &+ (grid.bits >> 4 & 0x0f0f_0f0f_0f0f_0f0f)
    let sum = Int((bytes &* 0x0101_0101_0101_0101) >> 56)
    guard grid.overflow != 0 else { return sum }
    return (0..<16).reduce(sum) { $0 + Int(grid.overflow >> UInt32($1 * 2) & 3) }
  }
}
