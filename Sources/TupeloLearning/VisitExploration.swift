/// Count-based exploration; see `VisitCounts`.
///
/// The value of a state grows while training finds better moves after it. A move that is no longer made keeps its old,
/// low value, so it never will be made again. A bonus for what has hardly been tried gives it another chance, and
/// counting anew gives every move one.
public struct VisitExploration: Hashable, Sendable {
  /// What a move that was never tried gets on top when moves are chosen, in score points; 0 for no such exploration.
  public var bonus: Float = 0
  /// Games after which visits are counted anew, ascending. With the first of them exploration begins; without any,
  /// with the first game.
  public var restarts: [Int] = []

  public init() {}

  /// The bonus that holds after `games` games, in score points.
  public func bonus(after games: Int) -> Float { games >= restarts.first ?? 0 ? bonus : 0 }
}
