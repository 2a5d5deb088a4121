/// Plays a position to its end by uniformly random legal moves. It measures the throughput of the engine alone.
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

  /// The sums over many playouts.
  public struct Totals: Hashable, Sendable {
    public var games = 0
    /// The sum of the score points gained.
    public var score = 0
    public var moves = 0

    public init() {}
  }

  /// Plays `count` games, two interleaved at a time. A move waits for the previous move of its own game, not of the
  /// other game, so the processor overlaps them.
  ///
  /// - Parameters:
  ///   - count: the number of games
  ///   - random: gives each half a stream of its own
  ///   - start: makes the board that each game begins on, from the stream of its half
  public func playMany(
    _ count: Int, using random: inout RandomStream, from start: (inout RandomStream) -> Board
  ) -> Totals {
    var totals = Totals()
    var (one, two) = (RandomStream(seed: random.next()), RandomStream(seed: random.next()))
    var left = count
    var (first, second) = (Board.empty, Board.empty)
    var (firstPlays, secondPlays) = (left > 0, left > 1)
    if firstPlays { first = start(&one) }
    if secondPlays { second = start(&two) }
    left -= min(left, 2)
    while firstPlays && secondPlays {
      let (nextFirst, nextSecond) = (step(first, using: &one), step(second, using: &two))
      if let nextFirst {
        first = nextFirst.board
        totals.score &+= nextFirst.reward
        totals.moves &+= 1
      } else {
        totals.games += 1
        firstPlays = left > 0
        if firstPlays { first = start(&one) }
        left -= firstPlays ? 1 : 0
      }
      if let nextSecond {
        second = nextSecond.board
        totals.score &+= nextSecond.reward
        totals.moves &+= 1
      } else {
        totals.games += 1
        secondPlays = left > 0
        if secondPlays { second = start(&two) }
        left -= secondPlays ? 1 : 0
      }
    }
    if firstPlays { finish(first, using: &one, totals: &totals) }
    if secondPlays { finish(second, using: &two, totals: &totals) }
    return totals
  }

  private func finish(_ board: Board, using random: inout RandomStream, totals: inout Totals) {
    let result = play(board, using: &random)
    totals.games += 1
    totals.score += result.score
    totals.moves += result.moves
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
    // Looked up and masked instead of branched, because no branch can predict a random choice.
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
