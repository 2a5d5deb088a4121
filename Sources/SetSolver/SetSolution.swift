public import SetEngine

/// The exact values of all states that games of a deck can come to, under the best play for one objective.
///
/// States are told apart up to symmetry. A look-up finds the canonical form of the state, which takes a few
/// microseconds. Any number of threads may look up at once.
public final class SetSolution: Sendable {
  public let objective: SetObjective
  let graph: StateGraph
  /// The value of each state of the graph.
  let values: [SetValue]

  init(_ graph: StateGraph, objective: SetObjective) {
    self.graph = graph
    self.objective = objective
    var values = [SetValue](repeating: SetValue(sets: 0, perfect: 0), count: graph.codes.count)
    for state in graph.codes.indices.reversed() {
      let code = StateCode(bits: graph.codes[state])
      if StateLaw(graph.rules).isDeal(code) {
        values[state] = Self.mean(graph.followers(of: state), values)
      } else {
        values[state] = SetValue(sets: 0, perfect: code.bits == 0 ? 1 : 0)
        for (rank, follower) in graph.followers(of: state).enumerated() {
          let value = values[Int(follower)].afterTaking
          if rank == 0 || value.isBetter(than: values[state], objective) { values[state] = value }
        }
      }
    }
    self.values = values
  }

  private static func mean(_ states: ArraySlice<UInt32>, _ values: [SetValue]) -> SetValue {
    var sum = SetValue(sets: 0, perfect: 0)
    for state in states {
      sum.sets += values[Int(state)].sets
      sum.perfect += values[Int(state)].perfect
    }
    return SetValue(sets: sum.sets / Double(states.count), perfect: sum.perfect / Double(states.count))
  }

  public var rules: SetRules { graph.rules }

  /// What a whole game is worth, before the first deal.
  public var startValue: SetValue { values[0] }

  /// The number of positions with the player to move or the game over, up to symmetry.
  public var positionCount: Int { graph.codes.count { !StateLaw(graph.rules).isDeal(StateCode(bits: $0)) } }

  /// What the rest of a game is worth; `nil` for a position that no game comes to.
  public func value(of position: SetPosition) -> SetValue? {
    value(table: position.table, unseen: position.unseen)
  }

  /// What the rest of a game is worth after a choice and before the deal; `nil` for an afterstate that no game comes
  /// to.
  public func value(of afterstate: SetAfterstate) -> SetValue? {
    value(table: afterstate.table, unseen: afterstate.unseen)
  }

  private func value(table: CardSet, unseen: CardSet) -> SetValue? {
    guard table.union(unseen).isSubset(of: rules.deck), table.isDisjoint(with: unseen) else { return nil }
    var canonical = CanonicalForm(graph.geometry)
    return graph.number(of: canonical.code(of: StateCode(table: table, unseen: unseen))).map { values[$0] }
  }

  /// A Set on the table and its value.
  public struct ChoiceValue: Hashable, Sendable {
    public let trio: Trio
    /// The Set itself and what comes after it under best play.
    public let value: SetValue
  }

  /// The value of every Set on the table, in the order of `CardSet.sets`; `nil` for a position that no game comes to.
  public func choiceValues(in position: SetPosition) -> [ChoiceValue]? {
    guard value(of: position) != nil else { return nil }
    return position.sets.compactMap { trio in
      position.afterstate(of: trio).flatMap(value(of:)).map { ChoiceValue(trio: trio, value: $0.afterTaking) }
    }
  }

  /// A best Set, the first of equals; `nil` when the game is over, or when no game comes to the position.
  public func bestChoice(in position: SetPosition) -> Trio? {
    var best: ChoiceValue?
    for choice in choiceValues(in: position) ?? [] {
      if let best, !choice.value.isBetter(than: best.value, objective) { continue }
      best = choice
    }
    return best?.trio
  }
}

extension SetValue {
  /// The value before a Set is taken, from the value after it.
  var afterTaking: SetValue { SetValue(sets: sets + 1, perfect: perfect) }
}

/// An evaluator with exact instead of learned values. Greedy play by it is best play if the solution's objective is
/// `sets`, except for choices whose values agree to the 24 bits of a float.
extension SetSolution: SetEvaluator {
  /// The expected number of Sets to come; NaN for an afterstate that no game comes to.
  public func value(of afterstate: SetAfterstate) -> Float {
    let value: SetValue? = value(of: afterstate)
    return Float(value?.sets ?? .nan)
  }
}
