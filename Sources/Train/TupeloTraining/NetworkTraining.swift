internal import Safetensors
package import TupeloCluster
internal import TupeloConfiguration
internal import TupeloEngine
package import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// Trains an n-tuple network with one step-size rule.
package final class NetworkTraining<Rule: StepSizeRule>: TrainingState {
  let configuration: RunConfiguration
  let indexer: TupleIndexer
  let weights: WeightStorage<Rule.Cell>
  package private(set) var pool: any SelfPlayPool
  /// The indexer of the time when the whole game is played in the first stage.
  private let unstaged: TupleIndexer
  let average: WeightAverage?
  private let plan: PoolPlan<Rule>
  /// Which weights may differ from zero, if the run fine-tunes a pruned model.
  private var kept: KeptWeights?
  /// The replicas that learn and are merged into `weights`; `nil` where the workers learn `weights` themselves.
  let replicas: ReplicaGroup<Rule.Cell>?
  /// Whether `weights` have changed as a whole, and the replicas have not followed yet.
  private var isAhead: Bool
  /// Whether the pool uses the weights of later stages.
  private var isStaged = true

  /// - Parameters:
  ///   - configuration: its step-size rule has the kind of `rule`
  ///   - streams: the random streams of the workers of all ranks
  ///   - initialValue: the value of every state before training, in score points
  ///   - communicator: the ranks that train together
  package init(
    _ rule: Rule, _ configuration: RunConfiguration, streams: [RandomStream], initialValue: Float = 0,
    communicator: any Communicator = SoloCommunicator()
  ) throws {
    self.configuration = configuration
    let specification = configuration.network
    indexer = TupleIndexer(specification)
    unstaged = specification.stages.count == 1 ? indexer : TupleIndexer(specification, isStaged: false)
    weights = try WeightStorage(count: specification.weightCount)
    let averaging = configuration.averaging
    average =
      averaging.everyGames > 0
      ? try WeightAverage(count: specification.weightCount, window: averaging.window) : nil
    TemporalDifferenceLearner(weights: weights, rule: rule, featureCount: indexer.featureCount).initialize(
      toValue: initialValue,
      count: configuration.fillsStages ? specification.stageWeightCount : specification.weightCount)
    plan = PoolPlan(configuration: configuration, rule: rule, weights: weights)
    replicas =
      configuration.hasReplicas(on: communicator.size)
      ? try ReplicaGroup(
        merged: weights, count: configuration.training.replicas, communicator: communicator,
        threads: configuration.workers) : nil
    isAhead = initialValue != 0
    pool = plan.makePool(indexer, streams: streams, replicas: replicas)
  }

  var hasHugePages: Bool { weights.hasHugePages }
  var merges: MergeTotals? { replicas?.mergeTotals }

  var tasks: [RoundTask] { merging + upkeep + spreading }

  /// The first task: replicas are merged after every leg, so that the others find merged weights.
  private var merging: [RoundTask] {
    replicas.map { replicas in [.afterEveryRound { _ in replicas.merge() }] } ?? []
  }

  /// The last task: replicas take over what the others have done to the weights as a whole.
  private var spreading: [RoundTask] {
    replicas == nil ? [] : [.afterEveryRound { [self] _ in spread() }]
  }

  /// Periodic tasks, the beginning of stages, and the changes of the schedule.
  private var upkeep: [RoundTask] {
    let (averaging, decay) = (configuration.averaging, configuration.decay)
    return [
      RoundTask(at: [configuration.stages.afterGames]) { [self] _ in beginStages() },
      // Before the average is merged, so that it has the same zeros.
      RoundTask(every: configuration.pruneEveryGames) { [self] _ in
        guard let kept else { return }
        weights.exclusively { kept.prune(&$0) }
        isAhead = true
      },
      RoundTask(every: decay.share > 0 ? decay.everyGames : 0) { [self] _ in
        weights.exclusively { $0.decay(by: decay.share) }
        isAhead = true
      },
      RoundTask(every: averaging.everyGames) { [self] games in
        let filled = configuration.fillsStages ? indexer.specification : nil
        try weights.exclusively { weights in
          try average?.merge(weights, merges: games / averaging.everyGames - 1, filled: filled)
        }
      },
      RoundTask(at: configuration.phaseChanges) { [self] games in set(configuration.phase(after: games)) },
    ]
  }

  func begin(after games: Int) throws {
    average?.isEmpty = games < configuration.averaging.everyGames
    if configuration.pruneEveryGames > 0, let path = configuration.initialModel {
      kept = try KeptWeights(of: ModelPath.file(at: path), specification: indexer.specification)
    }
    set(configuration.phase(after: games))
    spread()
  }

  private func spread() {
    if isAhead { replicas?.spread() }
    isAhead = false
  }

  /// Says that the weights have changed as a whole, so that the replicas follow before the next round.
  func weightsChanged() { isAhead = true }
}

// MARK: Changes in the course of a run

extension NetworkTraining {
  /// Copies the weights of the first stage to every later stage.
  private func beginStages() {
    weights.exclusively { $0.copyFirstStage(of: indexer.specification) }
    isAhead = true
  }

  private func set(_ phase: TrainingPhase) {
    if phase.isStaged != isStaged {
      let (streams, starts) = (pool.streams, pool.starts)
      pool = plan.makePool(phase.isStaged ? indexer : unstaged, streams: streams, replicas: replicas)
      precondition(pool.restore(starts: starts), "workers of one run remember alike")
      isStaged = phase.isStaged
    }
    pool.setStepSize(phase.alpha, isWarmUp: phase.isWarmUp)
  }
}
