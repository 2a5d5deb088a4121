package import TupeloEngine

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
