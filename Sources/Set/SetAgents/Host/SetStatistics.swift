public import SetEngine

/// The result of one game.
public struct SetGameResult: Hashable, Sendable {
  /// Sets taken.
  public var sets: Int
  /// How many times three more cards were dealt to a table without a Set.
  public var dealsMore: Int
  /// The cards left on the table.
  public var left: CardSet

  public init(sets: Int, dealsMore: Int, left: CardSet) {
    (self.sets, self.dealsMore, self.left) = (sets, dealsMore, left)
  }
}

/// The statistics of many games. They are whole numbers, so the order of the games does not matter.
public struct SetStatistics: Hashable, Sendable {
  public private(set) var games = 0
  /// Sets taken in all games.
  public private(set) var sets = 0
  /// The sum of the squares of the Sets of each game.
  public private(set) var squaredSets = 0
  /// Sets taken and times that three more cards were dealt, in all games.
  public private(set) var rounds = 0
  /// The games in which three more cards were never dealt. With standard rules, such a game never has 15 cards on the
  /// table.
  public private(set) var gamesWithoutMore = 0
  /// Games by the number of cards left over: 0, 6, 9, 12, 15 or 18 with a standard deck.
  public private(set) var gamesByCardsLeft: [Int: Int] = [:]

  public init() {}

  public mutating func add(_ result: SetGameResult) {
    games += 1
    sets += result.sets
    squaredSets += result.sets * result.sets
    rounds += result.sets + result.dealsMore
    gamesWithoutMore += result.dealsMore == 0 ? 1 : 0
    gamesByCardsLeft[result.left.count, default: 0] += 1
  }

  /// Adds other games.
  public mutating func add(_ other: SetStatistics) {
    games += other.games
    sets += other.sets
    squaredSets += other.squaredSets
    rounds += other.rounds
    gamesWithoutMore += other.gamesWithoutMore
    gamesByCardsLeft.merge(other.gamesByCardsLeft, uniquingKeysWith: +)
  }

  /// The mean number of Sets of a game; NaN without games.
  public var meanSets: Double { Double(sets) / Double(games) }
  /// The sample variance of the Sets of one game; NaN below two games.
  public var varianceOfSets: Double {
    let count = Double(games)
    return (Double(squaredSets) - Double(sets) * meanSets) / (count - 1)
  }
  /// The standard error of `meanSets`. The 95% interval extends 1.96 standard errors to each side.
  public var standardError: Double { (varianceOfSets / Double(games)).squareRoot() }
  /// The games with no card left over.
  public var perfectGames: Int { gamesByCardsLeft[0, default: 0] }
}
