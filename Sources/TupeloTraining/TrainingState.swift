internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork

/// What a trainer needs of its weights and workers, whatever the step-size rule.
protocol TrainingState: Sendable {
  var indexer: TupleIndexer { get }
  var byteCount: Int { get }
  var hasHugePages: Bool { get }
  /// The workers' random streams, as they stand between rounds.
  var streams: [RandomStream] { get }
  var tensors: [TensorDescription] { get }

  func playRound(
    games: Int, until deadline: ContinuousClock.Instant, shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress
  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool
  func read(from file: SafetensorsFile) throws
  /// A copy of the weights to play with.
  func network() throws(WeightStorageError) -> NTupleNetwork
}

/// Weights under one step-size rule and the pool that trains them.
final class RuleState<Rule: StepSizeRule>: TrainingState {
  let indexer: TupleIndexer
  private let weights: WeightStorage<Rule.Cell>
  private let pool: SelfPlayPool<Rule>

  init(
    _ rule: Rule, specification: NetworkSpecification, rules: Rules, streams: [RandomStream], initialValue: Float = 0
  ) throws {
    indexer = TupleIndexer(specification)
    weights = try WeightStorage(count: specification.weightCount)
    let learner = TemporalDifferenceLearner(weights: weights, rule: rule, featureCount: indexer.featureCount)
    learner.initialize(toValue: initialValue)
    pool = SelfPlayPool(learner: learner, indexer: indexer, rules: rules, streams: streams)
  }

  var byteCount: Int { weights.byteCount }
  var hasHugePages: Bool { weights.hasHugePages }
  var streams: [RandomStream] { pool.streams }
  var tensors: [TensorDescription] { WeightStorage<Rule.Cell>.tensors(of: indexer.specification) }

  func playRound(
    games: Int, until deadline: ContinuousClock.Instant, shouldStop: @Sendable () -> Bool
  ) -> TrainingProgress {
    pool.playRound(games: games, until: deadline, shouldStop: shouldStop)
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    try weights.write(tensor, indexer: indexer, to: &sink)
  }

  func read(from file: SafetensorsFile) throws {
    try weights.read(from: file, indexer: indexer)
  }

  func network() throws(WeightStorageError) -> NTupleNetwork {
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    for index in 0..<weights.count { copy[index] = PlainCell(weight: weights[index].weight) }
    return NTupleNetwork(indexer: indexer, weights: copy)
  }
}
