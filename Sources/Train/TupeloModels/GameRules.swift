public import SetEngine
public import TupeloEngine

/// The games that can be trained, evaluated and played.
public enum GameKind: String, CaseIterable, Hashable, Sendable {
  case twentyFortyEight = "2048"
  case set

  /// The game's name in sentences.
  public var title: String {
    switch self {
    case .twentyFortyEight: "2048"
    case .set: "Set"
    }
  }
}

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
