internal import SetEngine
internal import SetPlayers
internal import SetSolver
internal import TupeloTraining

extension SetSolution {
  /// The exact value of an agent that decides by a rule and not by sampled games.
  ///
  /// Where the agent takes the first of equal Sets, lots decide here; `SetPolicyValue.setsByTies` has the bounds.
  ///
  /// - Parameter model: plays where the agent uses an evaluator; the hand-written heuristic without one
  /// - Throws: `SetSolutionError.samples` for an agent that plays games to decide, and
  ///   `SetAgentSpecificationError.needsModel`.
  func value(of agent: SetAgentSpecification, model: SetModel?) throws -> SetPolicyValue {
    if agent.evaluator == .model, model == nil { throw SetAgentSpecificationError.needsModel(agent.description) }
    let policy: (SetPosition) -> [Trio]
    switch agent.player {
    case .random: policy = { Array($0.sets) }
    case .mostLeft: policy = { $0.sets(loseFewestAmong: $0.table) }
    case .counting: policy = { $0.sets(loseFewestAmong: $0.table.union($0.unseen)) }
    case .greedy:
      let heuristic = HeuristicSetEvaluator(rules: rules)
      if let model, agent.evaluator != .heuristic {
        policy = { model.bestSets(in: $0) }
      } else {
        policy = { heuristic.bestSets(in: $0) }
      }
    case .rollouts, .search: throw SetSolutionError.samples(agent: agent.description)
    }
    guard case .from(let cards) = agent.exact else { return value(of: policy) }
    return value { position in
      guard position.unseen.count <= cards else { return policy(position) }
      return self.bestChoice(in: position).map { [$0] } ?? []
    }
  }
}

extension SetPosition {
  /// The Sets on the table that share cards with the fewest Sets among `cards`.
  fileprivate func sets(loseFewestAmong cards: CardSet) -> [Trio] {
    let trios = Array(sets)
    let lost = trios.map { cards.setsLost(taking: $0) }
    return zip(trios, lost).filter { $1 == lost.min() }.map(\.0)
  }
}

/// Why an exact value of Set cannot be had.
enum SetSolutionError: Error, CustomStringConvertible {
  case samples(agent: String)
  case modelOfOtherRules(path: String, SetRules, solved: SetRules)

  var description: String {
    switch self {
    case .samples(let agent):
      "--agent: \(agent) plays games to decide, so it has no exact value: give random, most-left, counting or greedy"
    case .modelOfOtherRules(let path, let rules, let solved):
      "\(path): a model of \(rules.features) features and \(rules.tableSize) cards on the table, not of "
        + "\(solved.features) and \(solved.tableSize): name another model"
    }
  }
}
