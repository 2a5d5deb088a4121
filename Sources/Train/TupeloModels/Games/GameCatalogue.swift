/// The games that a program knows. Configurations, models and evaluations are read with one, and the values that come
/// of it carry their game themselves.
public struct GameCatalogue: Sendable {
  /// In the order in which a command line is tried on them.
  public let games: [GameKind]

  public init(_ games: [GameKind]) { self.games = games }

  /// All games of this package.
  public static let standard = GameCatalogue([.twentyFortyEight, .set])

  /// The game with a name; `nil` when there is none.
  public func game(named name: String) -> GameKind? { games.first { $0.name == name } }
}
