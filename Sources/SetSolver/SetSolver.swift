public import SetEngine

/// Solves the card game Set exactly for decks of 3, 9 and 27 cards, with any size of the table.
///
/// The solver first enumerates all states up to symmetry (`StateGraph`), then values them from the last to the first.
/// The result is a `SetSolution`.
///
/// Complexity: linear in the states. A deck of 27 cards has at most 109,724 of them, which takes some seconds and less
/// than 60 MB. A deck of 81 cards has too many: see `SetSolver.docc/HowADeckIsSolved.md`.
public struct SetSolver: Sendable {
  public let rules: SetRules
  let graph: StateGraph

  /// Enumerates the states of the game.
  ///
  /// - Throws: `SetSolverError.tooLarge` for a deck of 81 cards.
  public init(rules: SetRules) throws(SetSolverError) {
    guard rules.features <= 3 else { throw .tooLarge(rules) }
    self.rules = rules
    graph = StateGraph(rules)
  }

  /// The number of states up to symmetry, those in the middle of a deal included.
  public var stateCount: Int { graph.codes.count }

  /// Computes the best play from every state.
  public func solve(for objective: SetObjective = .sets) -> SetSolution {
    SetSolution(graph, objective: objective)
  }
}

/// What best play maximises.
public enum SetObjective: String, CaseIterable, Hashable, Sendable {
  /// The expected number of Sets. Of equal choices, the one that makes a perfect game likelier.
  case sets
  /// The probability that no card is left over. Of equal choices, the one with more Sets.
  case perfectGame
}

/// What the rest of a game is worth under some play.
public struct SetValue: Hashable, Sendable {
  /// The expected number of Sets still to come.
  public var sets: Double
  /// The probability that no card is left over at the end.
  public var perfect: Double

  public init(sets: Double, perfect: Double) { (self.sets, self.perfect) = (sets, perfect) }
}

extension SetValue {
  /// Values that differ by less are equal: sums of rounded numbers. Unequal ones differ by much more.
  static var precision: Double { 1e-10 }

  /// How much less an objective gives this value than another: Sets, or a probability.
  func loss(against other: SetValue, _ objective: SetObjective) -> Double {
    switch objective {
    case .sets: other.sets - sets
    case .perfectGame: other.perfect - perfect
    }
  }

  /// Whether an objective prefers this value.
  func isBetter(than other: SetValue, _ objective: SetObjective) -> Bool {
    let loss = loss(against: other, objective)
    guard abs(loss) < Self.precision else { return loss < 0 }
    return self.loss(against: other, objective == .sets ? .perfectGame : .sets) < -Self.precision
  }
}
