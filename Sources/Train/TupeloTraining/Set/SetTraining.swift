internal import Safetensors
internal import SetAgents
internal import TupeloConfiguration
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloTables

/// Trains a network of Set with one step-size rule.
final class SetTraining<Rule: StepSizeRule>: TrainingState {
  private let configuration: RunConfiguration
  private let encoder: SetEncoder
  private let weights: WeightStorage<Rule.Cell>
  private let average: WeightAverage?
  let pool: any SelfPlayPool

  /// - Parameters:
  ///   - configuration: its step-size rule has the kind of `rule`
  ///   - initialValue: the value of every state before training, in Sets
  init(
    _ rule: Rule, _ configuration: RunConfiguration, _ specification: SetSpecification, streams: [RandomStream],
    initialValue: Float
  ) throws {
    self.configuration = configuration
    encoder = SetEncoder(specification)
    weights = try WeightStorage(count: specification.weightCount)
    let averaging = configuration.averaging
    average =
      averaging.everyGames > 0 ? try WeightAverage(count: weights.count, window: averaging.window) : nil
    let table = TemporalDifferenceLearner(weights: weights, rule: rule, featureCount: specification.featureCount)
    table.initialize(toValue: initialValue, count: weights.count)
    pool = SetPoolMaker(configuration: configuration, table: table, streams: streams).makePool(
      configuration, encoder: encoder)
  }

  var hasHugePages: Bool { weights.hasHugePages }

  var tasks: [RoundTask] {
    let (averaging, decay) = (configuration.averaging, configuration.decay)
    return [
      RoundTask(every: decay.share > 0 ? decay.everyGames : 0) { [self] _ in
        weights.exclusively { $0.decay(by: decay.share) }
      },
      RoundTask(every: averaging.everyGames) { [self] games in
        try weights.exclusively { try average?.merge($0, merges: games / averaging.everyGames - 1) }
      },
      RoundTask(at: configuration.phaseChanges) { [self] games in setPhase(after: games) },
    ]
  }

  func begin(after games: Int) throws {
    average?.isEmpty = games < configuration.averaging.everyGames
    setPhase(after: games)
  }

  private func setPhase(after games: Int) {
    let phase = configuration.phase(after: games)
    pool.setStepSize(phase.alpha, isWarmUp: phase.isWarmUp)
  }
}

/// Makes the workers of a run of Set.
private struct SetPoolMaker<Rule: StepSizeRule>: PoolMaker {
  typealias Encoder = SetEncoder

  let configuration: RunConfiguration
  let table: TemporalDifferenceLearner<Rule>
  let streams: [RandomStream]

  func makePool<L: Learner & ~Copyable>(
    _ makeLearner: (TemporalDifferenceLearner<Rule>) -> L
  ) -> any SelfPlayPool where L.Encoder == SetEncoder {
    let (rules, weights) = (configuration.set, table.weights)
    return WorkerPool<SetSelfPlay, L>(
      streams: streams, gamesAtOnce: 1, sharing: { round in weights.shared { round() } }
    ) { random in
      SelfPlayWorker(
        SetSelfPlay(rules), learner: makeLearner(table),
        explorer: Explorer(epsilon: configuration.exploration), starts: [SetStarts(rules)], random: random)
    }
  }
}

// MARK: Checkpoints and models

extension SetTraining {
  private var map: TableMap { encoder.specification.tableMap }

  var tensors: [TensorDescription] {
    WeightStorage<Rule.Cell>.tensors(of: map)
      + (average == nil ? [] : WeightStorage<PlainCell>.tensors(of: map, prefix: ModelFile.averagePrefix))
  }

  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool {
    try weights.write(tensor, of: map, average: average, to: &sink)
  }

  func read(from file: SafetensorsFile) throws {
    try weights.read(from: file, as: map)
    try average?.weights.read(from: file, as: map, prefix: ModelFile.averagePrefix)
  }

  /// Copies the weights of a network of the same rules.
  func read(initial file: SafetensorsFile) throws {
    guard try SetSpecification(in: file) == encoder.specification else {
      throw ModelFileError.nothingInCommon(path: file.path, network: try ModelDescription(in: file).canonicalText)
    }
    var stored = try StoredWeights(file, tables: map.tables)
    try weights.read(initial: file, &stored, as: map) { $0 }
  }

  func model(isCopy: Bool) throws(WeightStorageError) -> TrainedModel {
    .set(.table(SetNetwork(encoder: encoder, weights: try weights.snapshot(average: average, isCopy: isCopy))))
  }

  func diagnostics() -> [TableDiagnostics] { [weights.exclusively { $0.diagnostics(0..<$0.count) }] }

  func updateNorm(since look: inout UpdateNorm?) -> Double? { weights.updateNorm(since: &look) }
}
