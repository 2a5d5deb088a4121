internal import TupeloEngine
internal import TupeloModels

/// The outcome of one game played by an agent.
public struct GameResult: Hashable, Sendable {
  /// The score: score points in 2048, Sets taken in Set.
  public let score: Int
  /// The number of choices.
  public let moves: Int
  /// What is counted besides the score: in 2048 the exponent of the largest tile, 11 for 2048; in Set how many times
  /// three cards are left over.
  public let outcome: Int

  public init(score: Int, moves: Int, outcome: Int) {
    self.score = score
    self.moves = moves
    self.outcome = outcome
  }

  init(_ game: Game) {
    self.init(score: game.score, moves: game.plies, outcome: game.board.largestExponent)
  }
}

/// How many games of an evaluation had an outcome.
public struct OutcomeRate: Hashable, Sendable {
  /// In 2048 the tile that a game reached, at least; in Set the number of cards left over.
  public let value: Int
  /// The share of games, in 0...1.
  public let rate: Double
}

extension GameRules {
  /// The rates of the outcomes that reports tell: in 2048 of tiles from 256 on (on smaller boards the
  /// largest that there are), in Set of each number of cards left.
  func rates(of results: [GameResult]) -> [OutcomeRate] {
    reported.map { range in
      OutcomeRate(
        value: range.value,
        rate: Double(results.count { range.outcomes.contains($0.outcome) }) / Double(results.count))
    }
  }

  private var reported: [OutcomeRange] {
    switch self {
    case .board(let rules): rules.reportedExponents.map(GameKind.reached)
    case .set: Self.leftovers.map { OutcomeRange("\($0) left", value: $0, $0 / 3...$0 / 3) }
    }
  }

  /// The numbers of cards that can be left over: all 81 cards add up to zero, so three left would be a Set.
  private static let leftovers = [0, 6, 9, 12, 15, 18]
}
