/// The step size over the course of a run.
public struct StepSizeSchedule: Hashable, Sendable {
  /// A step size and the number of games after which it holds.
  public struct Change: Hashable, Sendable {
    public var games: Int
    public var alpha: Float

    public init(games: Int, alpha: Float) {
      self.games = games
      self.alpha = alpha
    }
  }

  /// Games of plain TD before temporal coherence begins (OTD+TC, Guei et al. 2021); 0 for no warm-up.
  public var warmUpGames = 0
  public var warmUpAlpha: Float = 0.1
  /// Changes of the step size, in ascending order of games; none before the warm-up is over.
  public var changes: [Change] = []

  public init() {}

  /// The step size after `games` games.
  ///
  /// - Parameters:
  ///   - games: the number of games trained so far
  ///   - alpha: the step size before the first change
  public func stepSize(after games: Int, alpha: Float) -> (alpha: Float, isWarmUp: Bool) {
    if games < warmUpGames { return (warmUpAlpha, true) }
    return (changes.last { $0.games <= games }?.alpha ?? alpha, false)
  }
}
