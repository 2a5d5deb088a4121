package import TupeloEngine
public import TupeloSearch

/// Plays games of an agent on one thread, one by one or interleaved.
public protocol GamePlayer {
  /// Plays games, interleaving as many as suit the agent. Game k depends on `seed` and k alone.
  ///
  /// - Parameters:
  ///   - seed: the seed of the games
  ///   - limit: the largest number of interleaved games
  ///   - cancellation: once it is set, the games in progress are abandoned: between their moves, and in the middle of a
  ///     search
  ///   - next: gives the number of the next game; not called again after it returns `nil`
  ///   - onGame: called after each finished game with its number and result
  mutating func play(
    seed: UInt64, atMost limit: Int, cancellation: SearchCancellation, next: () -> Int?,
    onGame: (Int, GameResult) -> Void)

  /// Plays game number `game` and returns its record as text; `nil` when `cancellation` ended it.
  ///
  /// - Parameters:
  ///   - seed: the seed of the games
  ///   - name: the agent's name in the record
  ///   - model: the model's identity in the record
  ///   - cancellation: once it is set, the game is abandoned
  mutating func record(
    of game: Int, seed: UInt64, name: String, model: String?, cancellation: SearchCancellation
  ) -> String?
}

/// The outcome of one game played by an agent.
public struct GameResult: Hashable, Sendable {
  /// The score: score points in 2048, Sets taken in Set.
  public let score: Int
  /// The number of choices.
  public let moves: Int
  /// The outcome in addition to the score: in 2048 the exponent of the largest tile, which is 11 for 2048; in Set a
  /// third of the number of cards left over.
  public let outcome: Int

  /// The range of outcomes in all games.
  public static let outcomes = 0...27

  public init(score: Int, moves: Int, outcome: Int) {
    self.score = score
    self.moves = moves
    self.outcome = outcome
  }

  package init(_ game: Game) {
    self.init(score: game.score, moves: game.plies, outcome: game.board.largestExponent)
  }
}
