internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloStates
internal import TupeloTables

/// Trains a network with whole-state weights. First its patterns learn; then they are frozen and the states learn.
final class StateTraining<Rule: StepSizeRule>: TrainingState {
  private let configuration: RunConfiguration
  private let specification: StateSpecification
  private let patterns: NetworkTraining<Rule>
  private let memory: StateMemory
  /// The states' weights, by slot of the memory's index.
  private let weights: WeightStorage<Rule.Cell>
  private let average: WeightAverage?
  /// The workers that learn states, once there are any, and whether their indexer has stages.
  private var own: (pool: any SelfPlayPool, isStaged: Bool)?

  init(
    _ rule: Rule, _ configuration: RunConfiguration, _ specification: StateSpecification, streams: [RandomStream],
    initialValue: Float
  ) throws {
    (self.configuration, self.specification) = (configuration, specification)
    patterns = try NetworkTraining(rule, configuration, streams: streams, initialValue: initialValue)
    memory = try StateMemory(specification)
    weights = try WeightStorage(count: memory.count)
    average =
      patterns.average == nil ? nil : try WeightAverage(count: memory.count, window: configuration.averaging.window)
  }

  /// Bytes for the states, in addition to the memory of the patterns.
  static func memory(_ configuration: RunConfiguration) -> Int {
    let average = configuration.averaging.everyGames > 0 ? PlainCell.byteCount : 0
    return (StateIndex.byteCount + StateMemory.byteCount + Rule.Cell.byteCount + average) << configuration.states.bits
  }

  var pool: any SelfPlayPool { own?.pool ?? patterns.pool }
  var hasHugePages: Bool { patterns.hasHugePages }

  var tasks: [RoundTask] {
    let averaging = configuration.averaging
    let forgetting = configuration.visits.restarts + [configuration.stages.afterGames]
    let changes = [
      RoundTask(at: forgetting) { [self] _ in memory.clear() },
      RoundTask(at: [configuration.states.afterGames]) { [self] _ in try patterns.settle() },
    ]
    let upkeep = [
      RoundTask(every: averaging.everyGames) { [self] games in
        try weights.exclusively { try average?.merge($0, merges: games / averaging.everyGames - 1) }
      },
      RoundTask(at: configuration.phaseChanges) { [self] games in set(configuration.phase(after: games)) },
    ]
    return patterns.changes + changes + patterns.upkeep + upkeep
  }

  func begin(after games: Int) throws {
    try patterns.begin(after: games)
    average?.isEmpty = games < configuration.averaging.everyGames
    if configuration.visits.restarts.contains(games) { memory.clear() }
    if games == 0, configuration.states.afterGames == 0 { try patterns.settle() }
    set(configuration.phase(after: games))
  }

  private func set(_ phase: TrainingPhase) {
    guard phase.learnsStates else { return }
    if own?.isStaged != phase.isStaged {
      let (streams, starts) = (pool.streams, pool.starts)
      let made = makePool(patterns.indexer(for: phase), streams: streams)
      precondition(made.restore(starts: starts), "workers of one run remember alike")
      own = (made, phase.isStaged)
    }
    pool.setStepSize(phase.alpha, isWarmUp: phase.isWarmUp)
    pool.setBonus(phase.visitBonus)
  }

  private func makePool(_ indexer: TupleIndexer, streams: [RandomStream]) -> any SelfPlayPool {
    let (states, weights, memory, returns) = (configuration.states, weights, memory, configuration.returns)
    let trialVisits = states.trialVisits > 0 ? Float(states.trialVisits) : .infinity
    let explorer = StateExplorer(memory, epsilon: configuration.exploration, trialVisits: trialVisits) {
      weights.weight(at: $0) == 0
    }
    return patterns.plan.makePool(indexer, explorer, streams: streams, sharing: { weights.shared($0) }) {
      StateLearner(
        $0, indexer: indexer, weights: weights, states: memory, returns: returns, optimism: states.optimism)
    }
  }
}

// MARK: Checkpoints

extension StateTraining {
  private var map: TableMap { specification.tableMap }

  var tensors: [TensorDescription] {
    patterns.tensors + WeightStorage<Rule.Cell>.tensors(of: map) + [memory.index.tensor]
      + (average == nil ? [] : WeightStorage<PlainCell>.tensors(of: map, prefix: ModelFile.averagePrefix))
      + (patterns.visits == nil ? [] : [memory.tensor])
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    if try patterns.write(tensor, to: &sink) { return true }
    switch tensor {
    case memory.index.tensor: try memory.index.write(to: &sink)
    case memory.tensor: try memory.write(to: &sink)
    default: return try weights.write(tensor, of: map, average: average, to: &sink)
    }
    return true
  }

  func read(from file: SafetensorsFile, countsVisits: Bool) throws {
    try patterns.read(from: file, countsVisits: countsVisits)
    try weights.read(from: file, as: map)
    try memory.index.read(from: file)
    try average?.weights.read(from: file, as: map, prefix: ModelFile.averagePrefix)
    if countsVisits, patterns.visits != nil { try memory.read(from: file) }
  }

  /// Copies the patterns, and the states if the other model has a table of the same size.
  func read(initial file: SafetensorsFile) throws {
    try patterns.read(initial: file)
    guard let other = try ModelDescription(in: file).states, other.bits == specification.bits else { return }
    var stored = try StoredWeights(file, tables: other.tables)
    try memory.index.read(from: file)
    try weights.read(initial: file, &stored, as: map) { _ in other.tables.count - 1 }
  }
}

// MARK: Models and statistics

extension StateTraining {
  func model(isCopy: Bool) throws(WeightStorageError) -> TrainedModel {
    // States that are met later have no weight in a copy of the weights, so training may go on with the index.
    .board(
      .states(
        StateNetwork(
          try patterns.network(isCopy: isCopy), states: memory.index,
          weights: try weights.snapshot(average: average, isCopy: isCopy))))
  }

  func diagnostics() -> [TableDiagnostics] {
    patterns.diagnostics() + [weights.exclusively { $0.diagnostics(0..<$0.count) }]
  }

  func updateNorm(since looks: inout [UpdateNorm]) -> Double? {
    let norms = [
      patterns.updateNorm(since: &looks), weights.updateNorm(since: &looks, number: 1),
    ].compactMap(\.self)
    return norms.isEmpty ? nil : norms.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }
}
