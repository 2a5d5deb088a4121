public import SetEngine

/// Why a game of Set cannot be solved.
public enum SetSolverError: Error, Hashable, Sendable {
  /// The deck has too many positions.
  case tooLarge(SetRules)
}

extension SetSolverError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let rules):
      "a deck of \(rules.cardCount) cards has more than 10^12 positions up to symmetry: solve 1, 2 or 3 features"
    }
  }
}
