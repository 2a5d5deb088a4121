public import SetEngine
public import TupeloEngine

/// A game and its rules.
public enum GameRules: Hashable, Sendable {
  case board(Rules)
  case set(SetRules)

  public var game: GameKind {
    switch self {
    case .board: .twentyFortyEight
    case .set: .set
    }
  }
}
