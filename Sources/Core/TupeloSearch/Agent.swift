public import TupeloEngine

/// A player: it chooses a move for a board. An agent may own tables and buffers, so each thread has its own agent.
public protocol Agent: SendableMetatype {
  /// Prepares a game. The random numbers of an agent depend only on the game's seed and number.
  mutating func beginGame(seed: UInt64, number: UInt64)

  /// The move that the agent plays; `nil` when no move is legal.
  mutating func move(on board: Board) -> Move?

  /// Gives the agent a flag that ends its search of a move from another thread.
  ///
  /// Once the flag is set, `move(on:)` returns within milliseconds, and its result has no meaning: the caller drops it.
  /// Until then the flag changes no move. An agent that never takes longer than milliseconds can use the default
  /// implementation.
  mutating func stop(on cancellation: SearchCancellation)
}

extension Agent {
  public mutating func beginGame(seed: UInt64, number: UInt64) {}

  public mutating func stop(on cancellation: SearchCancellation) {}
}

/// An agent that can also value every legal move.
public protocol AnalyzingAgent: Agent {
  /// Values every legal move; the best of the analysis is the move it would play.
  mutating func analyze(_ board: Board) -> MoveAnalysis
}

/// An agent that plays faster when several games are interleaved. Its moves depend on the board alone, so interleaving
/// does not change them.
public protocol InterleavingAgent: Agent {
  /// The number of interleaved games that suits the agent; at least 1.
  var gamesAtOnce: Int { get }

  /// Announces a board whose move will be requested after moves on other boards.
  mutating func expect(_ board: Board)
}
