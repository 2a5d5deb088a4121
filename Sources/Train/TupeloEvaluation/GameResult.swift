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
    let count = Double(results.count)
    switch self {
    case .board(let rules):
      return rules.reportedExponents.map { exponent in
        OutcomeRate(value: 1 << exponent, rate: Double(results.count { $0.outcome >= exponent }) / count)
      }
    case .set:
      return Self.leftovers.map { cards in
        OutcomeRate(value: cards, rate: Double(results.count { $0.outcome * 3 == cards }) / count)
      }
    }
  }

  /// The numbers of cards that can be left over: all 81 cards add up to zero, so three left would be a Set.
  private static let leftovers = [0, 6, 9, 12, 15, 18]
}

extension GameKind {
  /// What a rate is of, in reports: `reached 2048`, `9 cards left`.
  func label(of outcome: OutcomeRate) -> String {
    switch self {
    case .twentyFortyEight: "reached \(outcome.value)"
    case .set: outcome.value == 0 ? "perfect games" : "\(outcome.value) cards left"
    }
  }

  /// A mean score, or half of its interval, as reports show it: points in full, Sets with three digits.
  package func text(ofMean mean: Double) -> String {
    switch self {
    case .twentyFortyEight: NumberText.grouped(mean)
    case .set: NumberText.decimals(mean, 3)
    }
  }

  /// The key of the rates in JSON.
  var ratesKey: String {
    switch self {
    case .twentyFortyEight: "reach_rates"
    case .set: "left_rates"
    }
  }
}
