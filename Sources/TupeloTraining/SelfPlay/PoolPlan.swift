internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// From a configuration to the workers that train as it says.
struct PoolPlan<Rule: StepSizeRule>: Sendable {
  let configuration: RunConfiguration
  let rule: Rule
  let weights: WeightStorage<Rule.Cell>
  /// Where visits are counted, if exploration goes by them.
  let visits: VisitCounts?
  /// Where whole states learn, of a network with weights for them.
  let states: StateMemory?

  /// Makes workers, one per random stream.
  ///
  /// - Parameters:
  ///   - indexer: the features that they learn by
  ///   - learnsStates: whether whole states learn and patterns stay as they are, or the other way round
  func makePool(_ indexer: TupleIndexer, learnsStates: Bool, streams: [RandomStream]) -> any SelfPlayPool {
    let (returns, batch) = (configuration.returns, configuration.batch)
    if learnsStates, let states {
      let weights = weights
      let first = states.index.first
      let explorer = StateExplorer(states, trialVisits: trialVisits) { weights.weight(at: first &+ $0) == 0 }
      return pool(explorer, streams, indexer) { [optimism = configuration.states.optimism] in
        StateLearner($0, indexer: indexer, states: states, returns: returns, optimism: optimism)
      }
    }
    let explorer = TableExplorer(epsilon: configuration.exploration, visits: visits)
    if batch > 1 {
      return pool(explorer, streams, indexer) { BatchLearner($0, encoder: indexer, size: batch) }
    }
    switch returns.steps {
    case nil:
      return pool(explorer, streams, indexer) { BackwardLearner($0, encoder: indexer, returns: returns) }
    case 1:
      return pool(explorer, streams, indexer) { OneStepLearner($0, encoder: indexer) }
    case let steps?:
      return pool(explorer, streams, indexer) {
        DelayedLearner($0, encoder: indexer, returns: returns, steps: steps)
      }
    }
  }

  private var trialVisits: Float {
    configuration.states.trialVisits > 0 ? Float(configuration.states.trialVisits) : .infinity
  }

  private func pool<L: Learner & ~Copyable, X: Explorer>(
    _ explorer: X, _ streams: [RandomStream], _ indexer: TupleIndexer,
    _ makeLearner: (TemporalDifferenceLearner<Rule>) -> L
  ) -> any SelfPlayPool where L.Encoder.State == Afterstate {
    let specification = indexer.specification
    let isStaged = specification.stages.count > 1
    let table = TemporalDifferenceLearner(
      weights: weights, rule: rule, featureCount: indexer.featureCount,
      stages: StageRules(
        size: isStaged ? indexer.stageSize : 0, promotes: isStaged && configuration.stages.promotion == .weight,
        frozen: Set(configuration.stages.frozen)))
    let gamesAtOnce = configuration.batch > 1 ? 1 : configuration.gamesAtOnce
    return WorkerPool<Game2048, L, X>(
      streams: streams, gamesAtOnce: gamesAtOnce, sharing: { [weights] in weights.shared($0) }
    ) { random in
      let starts = (0..<gamesAtOnce).map { _ in
        EpisodeStarts(configuration.start, stages: specification.stages, rules: configuration.rules)
      }
      var worker = SelfPlayWorker(
        Game2048(configuration.rules), learner: makeLearner(table), explorer: explorer, starts: starts, random: random)
      // Patterns that states will stand on learn from one game after the other: on small boards two games meet the same
      // states.
      if states != nil, X.self == TableExplorer.self { worker.episodesAtOnce = 1 }
      return worker
    }
  }
}
