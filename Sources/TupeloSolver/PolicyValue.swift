/// What a policy is worth, exactly: no game is played.
public struct PolicyValue: Hashable, Sendable {
  /// The expected score of a whole game, in points.
  public let expectedScore: Double
  /// The expected number of moves of a game.
  public let expectedMoves: Double
  /// By exponent: the chance that the largest tile on the last board is 2^exponent.
  public let largestTiles: [Double]
  /// Boards that games under the policy come to.
  public let positionCount: Int

  /// The chance that a game makes a tile of 2^exponent, or a larger one.
  public func reachProbability(ofExponent exponent: Int) -> Double {
    largestTiles.dropFirst(max(exponent, 0)).reduce(0, +)
  }

  /// How much is lost against score-maximising play.
  public func regret(to solution: ExactSolution) -> Regret {
    let points = solution.startValue - expectedScore
    return Regret(points: points, percent: 100 * points / solution.startValue)
  }

  public struct Regret: Hashable, Sendable {
    /// Score points per game.
    public let points: Double
    /// Of the optimal expected score.
    public let percent: Double
  }
}
