internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// The training of an n-tuple network under one step-size rule.
final class NetworkTraining<Rule: StepSizeRule>: TrainingState {
  let configuration: RunConfiguration
  let indexer: TupleIndexer
  let weights: WeightStorage<Rule.Cell>
  private(set) var pool: any SelfPlayPool
  /// For the time when all of the game is played in the first stage.
  private let unstaged: TupleIndexer
  let average: WeightAverage?
  let states: StateIndex?
  /// Where visits are counted, if they are.
  let visits: [any VisitTable]
  private let plan: PoolPlan<Rule>
  /// What the pool was made for.
  private var (isStaged, learnsStates) = (true, false)

  /// - Parameters:
  ///   - configuration: one whose step-size rule is of the kind of `rule`
  ///   - initialValue: what every state is worth before training
  init(
    _ rule: Rule, _ configuration: RunConfiguration, streams: [RandomStream], initialValue: Float = 0
  ) throws {
    self.configuration = configuration
    let specification = configuration.network
    indexer = TupleIndexer(specification)
    unstaged = specification.stages.count == 1 ? indexer : TupleIndexer(specification, isStaged: false)
    let memory = try StateMemory(specification)
    let counts = configuration.visits.bonus > 0 ? try VisitCounts() : nil
    weights = try WeightStorage(count: specification.weightCount)
    let averaging = configuration.averaging
    average =
      averaging.everyGames > 0
      ? try WeightAverage(count: specification.weightCount, window: averaging.window) : nil
    states = memory?.index
    visits = counts.map { [$0] + (memory.map { [$0] } ?? []) } ?? []
    TemporalDifferenceLearner(weights: weights, rule: rule, featureCount: indexer.featureCount).initialize(
      toValue: initialValue,
      count: configuration.fillsStages ? specification.stageWeightCount : specification.patternWeightCount)
    plan = PoolPlan(configuration: configuration, rule: rule, weights: weights, visits: counts, states: memory)
    pool = plan.makePool(indexer, learnsStates: false, streams: streams)
  }

  var hasHugePages: Bool { weights.hasHugePages }

  var tasks: [RoundTask] {
    let (averaging, decay) = (configuration.averaging, configuration.decay)
    return [
      RoundTask(at: [configuration.stages.afterGames]) { [self] _ in beginStages() },
      RoundTask(at: configuration.visits.restarts) { [self] _ in forgetVisits() },
      RoundTask(at: [configuration.states.afterGames]) { [self] _ in try beginStates() },
      RoundTask(every: decay.share > 0 ? decay.everyGames : 0) { [self] _ in
        weights.exclusively { $0.decay(by: decay.share) }
      },
      RoundTask(every: averaging.everyGames) { [self] games in
        try mergeAverage(merges: games / averaging.everyGames - 1)
      },
      RoundTask(at: configuration.phaseChanges) { [self] games in set(configuration.phase(after: games)) },
    ]
  }

  func begin(after games: Int) throws {
    average?.isEmpty = games < configuration.averaging.everyGames
    // A restart that a changed configuration has right here; one that was there before has already been.
    if configuration.visits.restarts.contains(games) { forgetVisits() }
    if games == 0, configuration.states.afterGames == 0 { try beginStates() }
    set(configuration.phase(after: games))
  }
}

// MARK: What happens in the course of a run

extension NetworkTraining {
  /// Gives every later stage the weights of the first.
  private func beginStages() {
    weights.exclusively { $0.copyFirstStage(of: indexer.specification) }
    // The features of later stages are others from now on, and with them where visits are counted.
    forgetVisits()
  }

  private func forgetVisits() {
    for table in visits { table.clear() }
  }

  /// From here on patterns stay as they are: complete, and the same in what plays.
  private func beginStates() throws {
    guard states != nil else { return }
    if configuration.fillsStages { weights.exclusively { $0.fillStages(of: indexer.specification) } }
    if average?.isEmpty == false { try mergeAverage(merges: 0) }
  }

  private func mergeAverage(merges: Int) throws {
    try weights.exclusively { weights in
      try average?.merge(weights, merges: merges, filled: configuration.fillsStages ? indexer.specification : nil)
    }
  }

  private func set(_ phase: TrainingPhase) {
    if (phase.isStaged, phase.learnsStates) != (isStaged, learnsStates) {
      let (streams, starts) = (pool.streams, pool.starts)
      pool = plan.makePool(
        phase.isStaged ? indexer : unstaged, learnsStates: phase.learnsStates, streams: streams)
      precondition(pool.restore(starts: starts), "workers of one run remember alike")
      (isStaged, learnsStates) = (phase.isStaged, phase.learnsStates)
    }
    pool.setStepSize(phase.alpha, isWarmUp: phase.isWarmUp)
    pool.setBonus(phase.visitBonus)
  }
}
