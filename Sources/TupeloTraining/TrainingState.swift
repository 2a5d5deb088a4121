internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// What a trainer needs of its weights and workers, whatever the step-size rule.
protocol TrainingState: AnyObject {
  var indexer: TupleIndexer { get }
  var hasHugePages: Bool { get }
  /// The workers' random streams, as they stand between rounds.
  var streams: [RandomStream] { get }
  /// What the workers remember of where episodes may start.
  var starts: [[UInt64]] { get }
  var tensors: [TensorDescription] { get }

  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress
  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool
  func read(from file: SafetensorsFile) throws
  /// - Returns: false when they are not of these workers.
  func restore(starts: [[UInt64]]) -> Bool
  /// Changes how is learned in the rounds to come.
  func set(_ phase: TrainingPhase)
  /// Takes up the visits of a checkpoint whose run counted them, if this one does.
  func readVisits(from file: SafetensorsFile) throws
  /// Counts visits anew, if they are counted. Between rounds.
  func forgetVisits()
  /// Gives every stage the weights of the first.
  func copyFirstStage()
  /// Where weights of later stages are taken over when they are first looked at: takes over all of them.
  func fillStages()
  /// Copies what a trained network knows into tables of the same patterns.
  func read(initial file: SafetensorsFile) throws
  /// Every weight times 1 - `share`. Between rounds.
  func decay(by share: Float)
  /// What can be said about the weights of each pattern as a whole. Between rounds.
  func diagnostics() -> [TableDiagnostics]
  /// A first look at how far the weights move, and the following ones. Between rounds.
  func updateNorm() -> UpdateNorm
  func advance(_ norm: inout UpdateNorm) -> Double
  /// Takes the weights into their average, if there is one. Between rounds.
  func average(merges: Int)
  /// Takes the weights part of the way back to their average, if there is one. Between rounds.
  func pullToAverage(by share: Float)
  /// The weights to play with: their average where there is one, else a copy of them.
  func network() throws(WeightStorageError) -> NTupleNetwork
}

/// Weights under one step-size rule and the pool that trains them.
final class RuleState<Rule: StepSizeRule>: TrainingState {
  let indexer: TupleIndexer
  /// For the time when all of the game is played in the first stage.
  private let unstaged: TupleIndexer
  private let fillsStages: Bool
  let weights: WeightStorage<Rule.Cell>
  private let average: WeightAverage?
  private let states: StateIndex?
  /// Where visits are counted, if they are.
  private let visits: [any VisitTable]
  private let plan: PoolPlan<Rule>
  private var pool: any SelfPlayPool
  /// What the pool was made for.
  private var (isStaged, learnsStates) = (true, false)

  /// - Parameters:
  ///   - configuration: one whose step-size rule is of the kind of `rule`
  ///   - initialValue: what every state is worth before training
  init(
    _ rule: Rule, _ configuration: RunConfiguration, streams: [RandomStream], initialValue: Float = 0
  ) throws {
    let specification = configuration.network
    indexer = TupleIndexer(specification)
    unstaged = specification.stages.count == 1 ? indexer : TupleIndexer(specification, isStaged: false)
    fillsStages = configuration.fillsStages
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
      toValue: initialValue, count: fillsStages ? specification.stageWeightCount : specification.patternWeightCount)
    plan = PoolPlan(configuration: configuration, rule: rule, weights: weights, visits: counts, states: memory)
    pool = plan.makePool(indexer, learnsStates: false, streams: streams)
  }

  var hasHugePages: Bool { weights.hasHugePages }
  var streams: [RandomStream] { pool.streams }
  var starts: [[UInt64]] { pool.starts }
  var tensors: [TensorDescription] {
    var tensors = WeightStorage<Rule.Cell>.tensors(of: indexer.specification)
    if average != nil {
      tensors += WeightStorage<PlainCell>.tensors(of: indexer.specification, prefix: ModelFile.averagePrefix)
    }
    if let states { tensors.append(states.tensor) }
    return tensors + visits.map(\.tensor)
  }

  func playRound(
    games: Int, after played: Int, workers: Int, until deadline: ContinuousClock.Instant,
    shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    weights.shared {
      pool.playRound(games: games, after: played, workers: workers, until: deadline, shouldStop: shouldStop)
    }
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    if let table = visits.first(where: { $0.tensor == tensor }) {
      try table.write(to: &sink)
      return true
    }
    if let states, tensor == states.tensor {
      try states.write(to: &sink)
      return true
    }
    if let average,
      try average.weights.write(tensor, indexer: indexer, prefix: ModelFile.averagePrefix, to: &sink)
    {
      return true
    }
    return try weights.write(tensor, indexer: indexer, to: &sink)
  }

  func read(from file: SafetensorsFile) throws {
    try weights.read(from: file, indexer: indexer)
    try states?.read(from: file)
    try average?.weights.read(from: file, indexer: indexer, prefix: ModelFile.averagePrefix)
  }

  func restore(starts: [[UInt64]]) -> Bool { pool.restore(starts: starts) }

  func set(_ phase: TrainingPhase) {
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

  func readVisits(from file: SafetensorsFile) throws {
    for table in visits { try table.read(from: file) }
  }

  func forgetVisits() {
    for table in visits { table.clear() }
  }

  func copyFirstStage() {
    weights.exclusively { $0.copyFirstStage(of: indexer.specification) }
  }

  func fillStages() {
    if fillsStages { weights.exclusively { $0.fillStages(of: indexer.specification) } }
  }

  func read(initial file: SafetensorsFile) throws {
    try weights.read(initial: file, indexer: indexer)
    if try ModelFile.specification(in: file).stateBits == indexer.specification.stateBits {
      try states?.read(from: file)
    }
  }

  func average(merges: Int) {
    weights.exclusively { weights in
      average?.merge(weights, merges: merges, filled: fillsStages ? indexer.specification : nil)
    }
  }

  func pullToAverage(by share: Float) {
    weights.exclusively { average?.pull(&$0, by: share) }
  }

  func network() throws(WeightStorageError) -> NTupleNetwork {
    if let average, !fillsStages { return NTupleNetwork(indexer: indexer, weights: average.weights, states: states) }
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    copy.exclusively { copy in
      if let average {
        average.weights.exclusively { copy.copyWeights(of: $0) }
      } else {
        weights.exclusively { copy.copyWeights(of: $0) }
      }
      if fillsStages { copy.fillStages(of: indexer.specification) }
    }
    return NTupleNetwork(indexer: indexer, weights: copy, states: states)
  }
}
