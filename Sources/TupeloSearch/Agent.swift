public import TupeloEngine

/// Something that plays: it sees a board and says a move. An agent may own tables and buffers, so each thread has its own.
public protocol Agent: SendableMetatype {
  /// Called before each game, so that an agent that draws lots does so by the game's seed and number alone.
  mutating func beginGame(seed: UInt64, number: UInt64)

  /// The move it plays, or `nil` when none is legal.
  mutating func move(on board: Board) -> Move?

  /// How many games a thread had better play in turn, a move of each: 1, as by default, or more for an agent whose moves depend on nothing
  /// but the board. A game then begins while others are under way. An agent that wraps another passes this on, and `expect`.
  var gamesAtOnce: Int { get }

  /// Announces a board whose move will be asked for after moves on others, so that what it takes comes from memory meanwhile. A hint: moves are
  /// the same without it.
  mutating func expect(_ board: Board)
}

extension Agent {
  public mutating func beginGame(seed: UInt64, number: UInt64) {}
  public var gamesAtOnce: Int { 1 }
  public mutating func expect(_ board: Board) {}
}

/// An agent that can also say what it thinks of every move.
public protocol AnalyzingAgent: Agent {
  /// Values every legal move; the best of the analysis is the move it would play.
  mutating func analyze(_ board: Board) -> MoveAnalysis
}
