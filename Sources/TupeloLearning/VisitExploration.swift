/// The settings of count-based exploration; see `VisitCounts`.
///
/// The value of a state grows while training finds better moves after it. A move that is no longer made keeps its old,
/// low value, so it will never be made again. A bonus for moves that were rarely made gives them another chance.
/// Counting from zero again gives every move one.
public struct VisitExploration: Hashable, Sendable {
  /// The bonus of a move that was never made, in score points; 0 for no exploration by visits.
  public var bonus: Float = 0
  /// The numbers of games after which visits are counted from zero again, ascending. Exploration begins at the first of
  /// them; without any, at the first game.
  public var restarts: [Int] = []

  public init() {}

  /// The bonus that holds after `games` games, in score points.
  public func bonus(after games: Int) -> Float { games >= restarts.first ?? 0 ? bonus : 0 }
}
