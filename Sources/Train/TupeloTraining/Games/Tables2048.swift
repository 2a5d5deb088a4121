package import Safetensors
package import TupeloConfiguration
package import TupeloLearning
package import TupeloModels
public import TupeloNetwork
public import TupeloSelfPlay
package import TupeloTables

extension NetworkSpecification: TrainableStructure {
  package func makeTraining(_ run: RunInput) throws -> any TrainingState {
    try Tables2048(run.configuration).makeTraining(run).state
  }
}

/// The tables of 2048 in training: the patterns of a network. Only these tables have stages and the fine-tuning of a
/// pruned model.
@usableFromInline
package struct Tables2048 {
  private let configuration: RunConfiguration
  private let indexer: TupleIndexer
  /// The indexer for the games in which the whole game is played in the first stage.
  private let unstaged: TupleIndexer
  @usableFromInline package let game: Game2048

  /// - Parameter indexer: the indexer of the configuration's network, if it exists already
  @usableFromInline
  package init(_ configuration: RunConfiguration, indexer: TupleIndexer? = nil) {
    self.configuration = configuration
    let network = configuration.network
    let staged = indexer ?? TupleIndexer(network)
    self.indexer = staged
    unstaged = network.stages.count == 1 ? staged : TupleIndexer(network, isStaged: false)
    game = Game2048(configuration)
  }
}

extension Game2048 {
  /// The game of a run. The stages for its starts are those of its network.
  @usableFromInline
  package init(_ configuration: RunConfiguration) {
    let hasNetwork = configuration.own.encoder == nil
    self.init(
      configuration.rules, starts: configuration.start, stages: hasNetwork ? configuration.network.stages : .single)
  }
}

extension Tables2048: TableKind {
  private var network: NetworkSpecification { configuration.network }

  @usableFromInline package var metadata: [String: String] {
    var metadata = ModelFile.metadata(for: network.canonicalText)
    if filled != nil { metadata[ModelFile.Key.filledStages] = "1" }
    return metadata
  }

  @usableFromInline package var map: TableMap { indexer.tableMap }
  @usableFromInline package var weightCount: Int { network.weightCount }
  @usableFromInline package var featureCount: Int { indexer.featureCount }
  @usableFromInline package func encoder(isStaged: Bool) -> TupleIndexer { isStaged ? indexer : unstaged }
  @usableFromInline package var filled: NetworkSpecification? { configuration.fillsStages ? network : nil }

  @usableFromInline package var sumLimit: Float { game.sumLimit }

  @usableFromInline package var stages: StageRules {
    let isStaged = network.stages.count > 1
    return StageRules(
      size: isStaged ? indexer.stageSize : 0, promotes: isStaged && configuration.stages.promotion == .weight,
      frozen: Set(configuration.stages.frozen))
  }

  @usableFromInline
  package func model(_ weights: () throws -> WeightStorage<PlainCell>) throws -> TrainedModel {
    TrainedModel(NTupleNetwork(indexer: indexer, weights: try weights()))
  }

  @usableFromInline
  package func read<Cell: WeightCell>(
    initial file: SafetensorsFile, of other: ModelDescription, into weights: WeightStorage<Cell>
  ) throws {
    let fixesZeros = configuration.zeros == .stay
    guard !fixesZeros || other == .network(network) else {
      throw ModelFileError.otherNetwork(
        path: file.path, network: other.canonicalText, wanted: network.canonicalText)
    }
    guard let patterns = other.patterns else { throw TrainedModelError.dense(path: file.path) }
    var stored = try StoredWeights(file, tables: other.tables)
    try weights.read(initial: file, &stored, of: patterns, indexer: indexer)
    // If the run of the file promotes weights of earlier stages, and this run does too, zeros of later stages stay
    // zeros.
    if file.metadata[ModelFile.Key.filledStages] != nil, filled == nil {
      weights.exclusively { $0.fillStages(of: network) }
    }
    if fixesZeros { weights.exclusively { $0.fixZeros() } }
  }
}

/// Workers over weights that exist already, for the benchmark. They are not inlinable, so the benchmark measures the
/// loops that training runs, and no other module compiles these loops again.
extension Tables2048 {
  package func pool(
    _ rule: ConstantStepSize, _ run: RunInput, over weights: WeightStorage<PlainCell>
  ) throws -> any SelfPlayPool {
    try WorkerMaker(self, rule, run, over: weights).makePool(run.streams)
  }

  package func pool(
    _ rule: TemporalCoherence, _ run: RunInput, over weights: WeightStorage<CoherenceCell>
  ) throws -> any SelfPlayPool {
    try WorkerMaker(self, rule, run, over: weights).makePool(run.streams)
  }
}
