public import TupeloEngine

/// A player: it sees a board and picks a move. An agent may own tables and buffers, so each thread has its own agent.
public protocol Agent: SendableMetatype {
  /// Prepares a game. An agent that uses random numbers draws them by the game's seed and number alone.
  mutating func beginGame(seed: UInt64, number: UInt64)

  /// The move that the agent plays; `nil` when none is legal.
  mutating func move(on board: Board) -> Move?

  /// Gives the agent a flag that ends its search of a move from another thread.
  ///
  /// Once the flag is set, `move(on:)` returns within milliseconds, and its result has no meaning: the caller drops it.
  /// Until then the flag changes no move. An agent that never takes longer than milliseconds needs no such method.
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

  /// Announces a board whose move will be asked for after moves on other boards.
  mutating func expect(_ board: Board)
}
