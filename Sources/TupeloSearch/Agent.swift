public import TupeloEngine

/// Something that plays: it sees a board and says a move. An agent may own tables and buffers, so each thread has its own.
public protocol Agent: SendableMetatype {
  /// Called before each game, so that an agent that draws lots does so by the game's seed and number alone.
  mutating func beginGame(seed: UInt64, number: UInt64)

  /// The move it plays, or `nil` when none is legal.
  mutating func move(on board: Board) -> Move?
}

extension Agent {
  public mutating func beginGame(seed: UInt64, number: UInt64) {}
}

/// Plays any legal move with equal chance.
public struct RandomAgent: Agent {
  private let table: MoveTable
  private var random: RandomStream

  public init(shape: BoardShape = .standard, seed: UInt64 = 0) {
    table = MoveTable(shape)
    random = RandomStream(seed: seed)
  }

  public mutating func beginGame(seed: UInt64, number: UInt64) {
    // Another stream than the one that deals the game's tiles.
    random = RandomStream(seed: ~seed, stream: number)
  }

  public mutating func move(on board: Board) -> Move? {
    let legal = table.legalMoves(on: board)
    guard !legal.isEmpty else { return nil }
    return legal.move(ofRank: random.next(below: legal.count))
  }
}
