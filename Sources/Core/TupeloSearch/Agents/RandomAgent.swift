public import TupeloEngine

/// Plays a uniformly random legal move.
public struct RandomAgent: Agent {
  private let table: MoveTable
  private var random: RandomStream

  public init(shape: BoardShape = .standard, seed: UInt64 = 0) {
    table = MoveTable(shape)
    random = RandomStream(seed: seed)
  }

  public mutating func beginGame(seed: UInt64, number: UInt64) {
    random = .agentStream(seed: seed, number: number)
  }

  public mutating func move(on board: Board) -> Move? {
    let legal = table.legalMoves(on: board)
    guard !legal.isEmpty else { return nil }
    return legal.move(ofRank: random.next(below: legal.count))
  }
}

extension RandomStream {
  /// The random stream of an agent in a game. It differs from the stream that deals the game's tiles.
  static func agentStream(seed: UInt64, number: UInt64) -> RandomStream {
    RandomStream(seed: ~seed, stream: number)
  }
}
