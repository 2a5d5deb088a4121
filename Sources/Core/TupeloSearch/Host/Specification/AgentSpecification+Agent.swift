internal import TupeloBase
public import TupeloEngine

extension AgentSpecification {
  /// Makes the agent, with `model` as evaluator unless the specification says `evaluator: heuristic`.
  ///
  /// - Parameters:
  ///   - model: the evaluator, such as a network.
  ///   - rules: the rules of the game.
  ///   - seed: the seed of an agent's random numbers before its first `beginGame`.
  /// - Throws: `SearchTableError` when there is no memory for the agent's table.
  public func makeAgent<E: Evaluator>(
    model: E, rules: Rules = .standard, seed: UInt64 = 0
  ) throws(SearchTableError) -> AnyAgent {
    evaluator == .heuristic
      ? try playing(by: HeuristicEvaluator(shape: rules.shape), rules: rules, seed: seed)
      : try playing(by: model, rules: rules, seed: seed)
  }

  /// Makes the agent without a model. The hand-written heuristic is the evaluator instead.
  ///
  /// - Throws: `AgentSpecificationError.needsModel` if the specification says `evaluator: model`; `SearchTableError`
  ///   when there is no memory for the agent's table.
  public func makeAgent(rules: Rules = .standard, seed: UInt64 = 0) throws -> AnyAgent {
    if evaluator == .model { throw AgentSpecificationError.needsModel(description) }
    return try playing(by: HeuristicEvaluator(shape: rules.shape), rules: rules, seed: seed)
  }

  private func playing<E: Evaluator>(
    by evaluator: E, rules: Rules, seed: UInt64
  ) throws(SearchTableError) -> AnyAgent {
    switch player {
    case .random:
      AnyAgent(RandomAgent(shape: rules.shape, seed: seed))
    case .greedy:
      .greedy(evaluator, rules: rules)
    case .expectimax(let settings):
      settings.isGreedy
        ? .greedy(evaluator, rules: rules)
        : AnyAgent(
          try Expectimax(
            evaluator, limits: settings.limits, rules: rules, tableBytes: settings.used.table.map { $0 << 20 },
            threads: settings.used.threads ?? 1))
    case .minimax(let plies):
      AnyAgent(Minimax(evaluator, plies: AgentKey.plies.row.nearest(plies), rules: rules))
    case .monteCarlo(let rollouts, let policy):
      AnyAgent(
        MonteCarlo(
          evaluator, rollouts: AgentKey.rollouts.row.nearest(rollouts), policy: policy == .random ? .random : .greedy,
          rules: rules, seed: seed))
    }
  }
}
