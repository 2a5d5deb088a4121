internal import Safetensors
package import TupeloConfiguration
public import TupeloLearning
internal import TupeloModels
public import TupeloNetwork
internal import TupeloTables

/// The tables of 2048 in training: the patterns of a network. Only these tables have stages and the fine-tuning of a
/// pruned model.
@usableFromInline
package struct Tables2048 {
  private let configuration: RunConfiguration
  private let specification: NetworkSpecification
  @usableFromInline package let indexer: TupleIndexer
  /// The indexer for the games in which the whole game is played in the first stage.
  @usableFromInline let unstaged: TupleIndexer
  @usableFromInline let game: Game2048

  /// - Parameter indexer: the indexer of the configuration's network, if it exists already
  package init(_ configuration: RunConfiguration, indexer: TupleIndexer? = nil) {
    self.configuration = configuration
    let specification = configuration.network
    let staged = indexer ?? TupleIndexer(specification)
    self.specification = specification
    self.indexer = staged
    unstaged = specification.stages.count == 1 ? staged : TupleIndexer(specification, isStaged: false)
    game = Game2048(configuration.rules, starts: configuration.start, stages: specification.stages)
  }

  /// How the stages depend on each other while they learn.
  package var stages: StageRules {
    let isStaged = specification.stages.count > 1
    return StageRules(
      size: isStaged ? indexer.stageSize : 0, promotes: isStaged && configuration.stages.promotion == .weight,
      frozen: Set(configuration.stages.frozen))
  }

  /// Makes the workers of a plan. The function is inlined where the rule is known, also in another module, so that the
  /// compiler specialises their loop.
  @inlinable @inline(__always)
  package func makeWorkers<Rule: StepSizeRule>(_ plan: WorkerPlan<Rule>, isStaged: Bool = true) -> Workers {
    plan.makeWorkers(game, isStaged ? indexer : unstaged)
  }

  @inline(__always)
  package func kind<Rule: StepSizeRule>(_ rule: Rule.Type) -> TableKind<Rule> {
    let (fills, specification, indexer) = (configuration.fillsStages, specification, indexer)
    var metadata = ModelFile.metadata(for: specification.canonicalText)
    if fills { metadata[ModelFile.Key.filledStages] = "1" }
    var kind = TableKind<Rule>(
      indexer.tableMap, metadata: metadata, weightCount: specification.weightCount,
      featureCount: indexer.featureCount
    ) {
      makeWorkers($0, isStaged: $1)
    } makeModel: {
      TrainedModel(NTupleNetwork(indexer: indexer, weights: $0))
    } readInitial: { [fixesZeros = configuration.zeros == .stay] file, other, weights in
      guard !fixesZeros || other == .network(specification) else {
        throw ModelFileError.otherNetwork(
          path: file.path, network: other.canonicalText, wanted: specification.canonicalText)
      }
      guard let patterns = other.patterns else { throw TrainedModelError.dense(path: file.path) }
      var stored = try StoredWeights(file, tables: other.tables)
      try weights.read(initial: file, &stored, of: patterns, indexer: indexer)
      // If the run of the file promotes weights of earlier stages, and this run does too, zeros of later stages stay
      // zeros.
      if file.metadata[ModelFile.Key.filledStages] != nil, !fills {
        weights.exclusively { $0.fillStages(of: specification) }
      }
      if fixesZeros { weights.exclusively { $0.fixZeros() } }
    }
    kind.gamesAtOnce = configuration.gamesAtOnce
    kind.stages = stages
    if fills {
      kind.initialCount = specification.stageWeightCount
      kind.filled = specification
    }
    // Every later stage starts as a copy of the first stage.
    kind.changes.append(
      .init(times: .at([configuration.stages.afterGames])) { $0.copyFirstStage(of: specification) })
    return kind
  }
}
