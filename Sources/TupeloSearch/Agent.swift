public import TupeloEngine

/// Something that plays: it sees a board and says a move. An agent may own tables and buffers, so each thread has its
/// own.
public protocol Agent: SendableMetatype {
  /// Called before each game, so that an agent that draws lots does so by the game's seed and number alone.
  mutating func beginGame(seed: UInt64, number: UInt64)

  /// The move it plays, or `nil` when none is legal.
  mutating func move(on board: Board) -> Move?
}

extension Agent {
  public mutating func beginGame(seed: UInt64, number: UInt64) {}
}

/// An agent that can also say what it thinks of every move.
public protocol AnalyzingAgent: Agent {
  /// Values every legal move; the best of the analysis is the move it would play.
  mutating func analyze(_ board: Board) -> MoveAnalysis
}

/// An agent that had better play some games in turn, a move of each. Its moves depend on nothing but the board, and are
/// the same however it is asked.
public protocol InterleavingAgent: Agent {
  /// How many games; at least 1.
  var gamesAtOnce: Int { get }

  /// Announces a board whose move will be asked for after moves on others.
  mutating func expect(_ board: Board)
}
