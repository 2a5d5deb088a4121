/// The exact value of a policy, computed without playing games.
public struct PolicyValue: Hashable, Sendable {
  /// The expected score of a whole game, in score points.
  public let expectedScore: Double
  /// The expected number of moves of a game.
  public let expectedMoves: Double
  /// The probability that the largest tile on the last board is 2^exponent, by exponent.
  public let largestTiles: [Double]
  /// The number of boards that games under the policy reach.
  public let positionCount: Int

  /// The probability that a game makes a tile of 2^exponent or larger.
  public func reachProbability(ofExponent exponent: Int) -> Double {
    largestTiles.dropFirst(max(exponent, 0)).reduce(0, +)
  }

  /// The loss against score-maximising play.
  public func regret(to solution: ExactSolution) -> Regret {
    let points = solution.startValue - expectedScore
    return Regret(points: points, percent: 100 * points / solution.startValue)
  }

  public struct Regret: Hashable, Sendable {
    /// Score points per game.
    public let points: Double
    /// The loss in percent of the optimal expected score.
    public let percent: Double
  }
}
