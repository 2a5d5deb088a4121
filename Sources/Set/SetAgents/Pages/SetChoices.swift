package import SetEngine

/// Every Set on a table, and the Set that an agent takes. A page shows this for a position.
package struct SetChoices {
  package struct Choice {
    package let trio: Trio
    /// The expected number of Sets still to come, including this Set; `nil` for an agent without values.
    package let value: Double?
    /// `value` minus the value of the best choice, 0 or less.
    package let difference: Double?
    /// The number of rollouts of the value; `nil` if the agent plays no rollouts.
    package let rollouts: Int?
    /// The number of other Sets that stay on the table when this Set is taken.
    package let tableSets: Int
    /// The number of Sets among all cards not yet taken, after this Set is taken.
    package let setsLeft: Int

    func number(by criterion: SetWebAgent.Criterion) -> Double {
      switch criterion {
      case .tableSets: Double(tableSets)
      case .setsLeft: Double(setsLeft)
      case .value, .none: 0
      }
    }
  }

  /// The agent's name.
  package let agent: String
  /// The Set that the agent takes; `nil` when the game is over.
  package let best: Trio?
  /// Whether the values are exact: those of best play.
  package let isExact: Bool
  package let isOver: Bool
  /// The choices, best first by the agent's criterion.
  package let choices: [Choice]

  /// Gets the choices from an agent.
  package init(_ position: SetPosition, _ agent: SetWebAgent) {
    let thought = agent.think(position)
    self.agent = agent.name
    best = thought.choice
    isExact = thought.analysis?.isExact ?? false
    isOver = position.isOver
    let all = position.table.union(position.unseen)
    let (tableCount, allCount) = (position.table.setCount, all.setCount)
    func choice(_ trio: Trio, _ candidate: SetAnalysis.Candidate?) -> Choice {
      Choice(
        trio: trio, value: candidate?.value, difference: candidate?.difference,
        rollouts: candidate.flatMap { $0.rollouts > 0 ? $0.rollouts : nil },
        tableSets: tableCount - position.table.setsLost(taking: trio), setsLeft: allCount - all.setsLost(taking: trio))
    }
    if let analysis = thought.analysis {
      choices = analysis.candidates.map { choice($0.trio, $0) }
    } else {
      let found = position.sets.map { choice($0, nil) }
      choices = Ranking.order(of: found.map { $0.number(by: agent.criterion) }).map { found[$0] }
    }
  }
}

extension Trio {
  /// The three cards, in the notation of records.
  package var notations: [String] { [first.notation, second.notation, third.notation] }
}
