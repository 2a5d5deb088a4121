public import SetEngine
internal import TupeloBase

extension SetAgentSpecification {
  /// Makes the agent, with `model` as evaluator unless the specification says `evaluator: heuristic`.
  ///
  /// - Parameters:
  ///   - model: the evaluator, such as a network
  ///   - rules: the rules of the game
  ///   - seed: the seed of an agent's random numbers before its first `beginGame`
  public func makeAgent(model: some SetEvaluator, rules: SetRules = .standard, seed: UInt64 = 0) -> AnySetAgent {
    evaluator == .heuristic
      ? playing(by: HeuristicSetEvaluator(rules: rules), rules: rules, seed: seed)
      : playing(by: model, rules: rules, seed: seed)
  }

  /// Makes the agent without a model. The hand-written heuristic is the evaluator instead.
  ///
  /// - Throws: `SetAgentSpecificationError.needsModel` if the specification says `evaluator: model`.
  public func makeAgent(
    rules: SetRules = .standard, seed: UInt64 = 0
  ) throws(SetAgentSpecificationError) -> AnySetAgent {
    if evaluator == .model { throw .needsModel(description) }
    return playing(by: HeuristicSetEvaluator(rules: rules), rules: rules, seed: seed)
  }

  private func playing(by evaluator: some SetEvaluator, rules: SetRules, seed: UInt64) -> AnySetAgent {
    let endgame: Endgame? =
      switch exact {
      case .never: nil
      case .from(let cards): Endgame(cards: cards, rules: rules)
      }
    func ending(_ agent: some SetAgent) -> AnySetAgent {
      endgame.map { AnySetAgent(EndgamePlayer(agent, endgame: $0)) } ?? AnySetAgent(agent)
    }
    func rollouts(_ policy: RolloutPlayer.Policy, _ settings: RolloutSettings) -> AnySetAgent {
      AnySetAgent(
        RolloutPlayer(evaluator, policy: policy, settings: settings, endgame: endgame, rules: rules, seed: seed))
    }
    switch player {
    case .random: return ending(RandomSetPlayer(seed: seed))
    case .mostLeft: return ending(MostLeftPlayer())
    case .counting: return ending(CountingPlayer())
    case .greedy: return ending(GreedySetPlayer(evaluator))
    case .rollouts(let limits, let policy):
      return rollouts(policy, RolloutSettings(count: limits.usedCount, time: limits.usedTime))
    case .search(let limits, let settings):
      return rollouts(
        .greedy,
        RolloutSettings(
          count: limits.usedCount, time: limits.usedTime,
          prior: settings.prior.map(SetAgentKey.prior.row.nearest) ?? RolloutSettings.standardPrior,
          eliminates: true, depth: settings.depth.map(SetAgentKey.depth.row.nearest)))
    }
  }
}

extension SetAgentSpecification.Limits {
  /// The limits that an agent uses: each is the nearest that its key allows.
  fileprivate var usedCount: Int? { count.map(SetAgentKey.count.row.nearest) }
  fileprivate var usedTime: Duration? {
    milliseconds.map { .milliseconds(SetAgentKey.milliseconds.row.nearest($0)) }
  }
}
