internal import TupeloCluster
internal import TupeloConfiguration
internal import TupeloEngine
package import TupeloLearning
package import TupeloNetwork
package import TupeloTables

/// Makes the workers that train as a configuration says.
package struct PoolPlan<Rule: StepSizeRule>: Sendable {
  let configuration: RunConfiguration
  let rule: Rule
  let weights: WeightStorage<Rule.Cell>

  package init(configuration: RunConfiguration, rule: Rule, weights: WeightStorage<Rule.Cell>) {
    (self.configuration, self.rule, self.weights) = (configuration, rule, weights)
  }

  /// Makes workers for the learner that the configuration names, one per random stream.
  ///
  /// - Parameter indexer: gives the features that they learn with
  package func makePool(_ indexer: TupleIndexer, streams: [RandomStream]) -> any SelfPlayPool {
    BoardPoolMaker(plan: self, indexer: indexer, streams: streams).makePool(configuration, encoder: indexer)
  }

  /// Makes the workers of a run: of the plan's own weights, or of replicas, each of which has its own.
  ///
  /// - Parameters:
  ///   - indexer: gives the features that they learn with
  ///   - streams: the random streams of the workers of all ranks
  func makePool(
    _ indexer: TupleIndexer, streams: [RandomStream], replicas: ReplicaGroup<Rule.Cell>?
  ) -> any SelfPlayPool {
    guard let replicas else { return makePool(indexer, streams: streams) }
    let threads = configuration.training.threads
    let own = streams.dropFirst(replicas.communicator.rank * replicas.replicas.count * threads)
    let pools = replicas.replicas.enumerated().map { number, weights in
      PoolPlan(configuration: configuration, rule: rule, weights: weights)
        .makePool(indexer, streams: Array(own.dropFirst(number * threads).prefix(threads)))
    }
    return ReplicaPool(
      pools, mergeMoves: configuration.training.mergeMoves, communicator: replicas.communicator)
  }
}

/// Makes workers that learn the weights of patterns.
private struct BoardPoolMaker<Rule: StepSizeRule>: PoolMaker {
  typealias Encoder = TupleIndexer

  let plan: PoolPlan<Rule>
  let indexer: TupleIndexer
  let streams: [RandomStream]

  func makePool<L: Learner & ~Copyable>(
    _ makeLearner: (TemporalDifferenceLearner<Rule>) -> L
  ) -> any SelfPlayPool where L.Encoder == TupleIndexer {
    let (configuration, weights, specification) = (plan.configuration, plan.weights, indexer.specification)
    let isStaged = specification.stages.count > 1
    let table = TemporalDifferenceLearner(
      weights: weights, rule: plan.rule, featureCount: indexer.featureCount,
      stages: StageRules(
        size: isStaged ? indexer.stageSize : 0, promotes: isStaged && configuration.stages.promotion == .weight,
        frozen: Set(configuration.stages.frozen)))
    let explorer = Explorer(epsilon: configuration.exploration)
    let gamesAtOnce = configuration.batch > 1 ? 1 : configuration.gamesAtOnce
    return WorkerPool<Game2048, L>(
      streams: streams, gamesAtOnce: gamesAtOnce, sharing: { round in weights.shared { round() } }
    ) { random in
      let starts = (0..<gamesAtOnce).map { _ in
        EpisodeStarts(configuration.start, stages: specification.stages, rules: configuration.rules)
      }
      return SelfPlayWorker(
        Game2048(configuration.rules), learner: makeLearner(table), explorer: explorer, starts: starts, random: random)
    }
  }
}
