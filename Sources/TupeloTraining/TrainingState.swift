internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork

/// What a trainer needs of its weights and workers, whatever the step-size rule.
protocol TrainingState: Sendable {
  var indexer: TupleIndexer { get }
  var hasHugePages: Bool { get }
  /// The workers' random streams, as they stand between rounds.
  var streams: [RandomStream] { get }
  var tensors: [TensorDescription] { get }

  func playRound(
    games: Int, until deadline: ContinuousClock.Instant, shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress
  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool
  func read(from file: SafetensorsFile) throws
  /// Takes the weights into their average, if there is one. Between rounds.
  func average(merges: Int)
  /// The weights to play with: their average where there is one, else a copy of them.
  func network() throws(WeightStorageError) -> NTupleNetwork
}

/// Weights under one step-size rule and the pool that trains them.
final class RuleState<Rule: StepSizeRule>: TrainingState {
  let indexer: TupleIndexer
  private let weights: WeightStorage<Rule.Cell>
  private let average: WeightAverage?
  private let pool: SelfPlayPool<Rule>

  /// - Parameter window: merges that an average of the weights looks back on; `nil` for none.
  init(
    _ rule: Rule, specification: NetworkSpecification, rules: Rules, streams: [RandomStream], initialValue: Float = 0,
    window: Int? = nil
  ) throws {
    indexer = TupleIndexer(specification)
    weights = try WeightStorage(count: specification.weightCount)
    average = try window.map { try WeightAverage(count: specification.weightCount, window: $0) }
    let learner = TemporalDifferenceLearner(weights: weights, rule: rule, featureCount: indexer.featureCount)
    learner.initialize(toValue: initialValue)
    pool = SelfPlayPool(learner: learner, indexer: indexer, rules: rules, streams: streams)
  }

  var hasHugePages: Bool { weights.hasHugePages }
  var streams: [RandomStream] { pool.streams }
  var tensors: [TensorDescription] {
    let own = WeightStorage<Rule.Cell>.tensors(of: indexer.specification)
    return average == nil
      ? own : own + WeightStorage<PlainCell>.tensors(of: indexer.specification, prefix: ModelFile.averagePrefix)
  }

  func playRound(
    games: Int, until deadline: ContinuousClock.Instant, shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    pool.playRound(games: games, until: deadline, shouldStop: shouldStop)
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    if let average,
      try average.weights.write(tensor, indexer: indexer, prefix: ModelFile.averagePrefix, to: &sink)
    {
      return true
    }
    return try weights.write(tensor, indexer: indexer, to: &sink)
  }

  func read(from file: SafetensorsFile) throws {
    try weights.read(from: file, indexer: indexer)
    try average?.weights.read(from: file, indexer: indexer, prefix: ModelFile.averagePrefix)
  }

  func average(merges: Int) {
    average?.merge(weights, merges: merges)
  }

  func network() throws(WeightStorageError) -> NTupleNetwork {
    if let average { return NTupleNetwork(indexer: indexer, weights: average.weights) }
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    for index in 0..<weights.count { copy[index] = PlainCell(weight: weights[index].weight) }
    return NTupleNetwork(indexer: indexer, weights: copy)
  }
}
