internal import SetAgents
internal import SetEngine

/// Every Set on a table, and the Set that an agent takes. A page shows this for a position.
struct SetChoices {
  struct Choice {
    let trio: Trio
    /// The expected number of Sets still to come, including this Set; `nil` for an agent without values.
    let value: Double?
    /// `value` minus the value of the best choice, 0 or less.
    let difference: Double?
    /// The number of other Sets that stay on the table when this Set is taken.
    let tableSets: Int
    /// The number of Sets among all cards not yet taken, after this Set is taken.
    let setsLeft: Int

    func number(by criterion: SetWebAgent.Criterion) -> Double {
      switch criterion {
      case .tableSets: Double(tableSets)
      case .setsLeft: Double(setsLeft)
      case .none: 0
      }
    }
  }

  /// The agent's name.
  let agent: String
  /// The Set that the agent takes; `nil` when the game is over.
  let best: Trio?
  /// Whether the values are exact: those of best play.
  let isExact: Bool
  let isOver: Bool
  /// The choices, best first by the agent's criterion.
  let choices: [Choice]

  /// Gets the choices from an agent.
  init(_ position: SetPosition, _ agent: SetWebAgent) {
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
