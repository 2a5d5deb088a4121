public import TupeloBase
internal import TupeloCluster
public import TupeloConfiguration
public import TupeloLearning
public import TupeloSelfPlay
public import TupeloTables

/// Makes the workers of a run from what they share: the weights, the rule that moves them, the learner, and the
/// replicas.
///
/// Inlinable functions make this value, so the compiler specialises the workers' loop in the module that calls them.
/// Game, encoder, rule and learner are known there.
@usableFromInline
package struct WorkerMaker<Rule: StepSizeRule> {
  /// The weights of the run, and the rule with its first step size.
  @usableFromInline let table: ValueTable<Rule>
  let replicas: Replicas<Rule.Cell>?
  private let make: MakePool

  /// Makes the workers over some weights, one for each random stream.
  ///
  /// - Parameter isStaged: whether later stages use weights of their own yet
  @usableFromInline
  typealias MakePool = (
    _ table: ValueTable<Rule>, _ streams: [RandomStream], _ isStaged: Bool
  ) -> any SelfPlayPool

  /// Workers with the learner that the configuration names: `BatchLearner` for batches, `BackwardLearner` for
  /// whole episodes (`steps` is `nil`), `OneStepLearner` for one step, whatever lambda is, and otherwise
  /// `DelayedLearner`.
  ///
  /// - Parameters:
  ///   - rule: the rule with its first step size, which a schedule of the configuration may change
  ///   - weights: weights that exist already; `nil` for new ones
  @inlinable
  package init<Kind: TableKind>(
    _ kind: Kind, _ rule: Rule, _ run: RunInput, over weights: WeightStorage<Rule.Cell>? = nil
  ) throws {
    let (batch, returns) = (run.configuration.batch, run.configuration.returns)
    if batch > 1 {
      try self.init(kind, rule, run, over: weights) { BatchLearner($0, encoder: $1, size: batch) }
      return
    }
    switch returns.steps {
    case nil:
      try self.init(kind, rule, run, over: weights) { BackwardLearner($0, encoder: $1, returns: returns) }
    case 1:
      try self.init(kind, rule, run, over: weights) { OneStepLearner($0, encoder: $1) }
    default:
      try self.init(kind, rule, run, over: weights) { DelayedLearner($0, encoder: $1, returns: returns) }
    }
  }

  /// Workers with a learner of the caller's choice.
  ///
  /// - Parameter makeLearner: makes the learner of a worker over the shared weights
  @inlinable
  package init<Kind: TableKind, L: Learner & ~Copyable>(
    _ kind: Kind, _ rule: Rule, _ run: RunInput, over weights: WeightStorage<Rule.Cell>? = nil,
    makeLearner: @escaping (ValueTable<Rule>, Kind.Encoder) -> L
  ) throws where L.Encoder.State == Kind.Game.Choices.State {
    let (game, explorer) = (kind.game, Explorer(epsilon: run.configuration.exploration))
    // With batches a worker plays one episode at a time.
    let gamesAtOnce = run.configuration.batch > 1 ? 1 : kind.gamesAtOnce(run.configuration)
    try self.init(kind, rule, run, over: weights) { table, streams, isStaged in
      let encoder = kind.encoder(isStaged: isStaged)
      return WorkerPool(table, streams, gamesAtOnce: gamesAtOnce) { table, random in
        let worker = SelfPlayWorker(
          game, learner: makeLearner(table, encoder), explorer: explorer,
          starts: (0..<gamesAtOnce).map { _ in game.makeStarts() }, random: random)
        return LockedWorker(worker) { (worker, claims) in
          var progress = TrainingProgress()
          worker.play(while: claims) { progress.add($0) }
          return progress
        }
      }
    }
  }

  /// Workers with a learner of a client, which is checked.
  ///
  /// - Throws: `TrainingError.otherEncoder`, `TrainingError.badWindow`.
  @inlinable
  init<Kind: TableKind, L: Learner & ~Copyable>(
    _ kind: Kind, _ rule: Rule, _ run: RunInput,
    checking makeLearner: @escaping (ValueTable<Rule>, Kind.Encoder) -> L
  ) throws where L.Encoder == Kind.Encoder {
    try self.init(kind, rule, run, makeLearner: makeLearner)
    let encoder = kind.encoder(isStaged: true)
    try Self.check(makeLearner(table, encoder), encoder.layout)
  }

  @usableFromInline
  static func check<L: Learner & ~Copyable>(_ learner: borrowing L, _ layout: FeatureLayout) throws(TrainingError) {
    let found = learner.encoder.layout
    guard found == layout else {
      throw .otherEncoder(
        features: found.featureCount, weights: found.weightCount, of: layout.featureCount, layout.weightCount)
    }
    let (window, scratchSlots) = (learner.window, learner.scratchSlots)
    guard window >= 1, scratchSlots >= 0 else {
      throw .badWindow(learner: OwnParts.name(of: L.self), window: window, scratchSlots: scratchSlots)
    }
  }

  @usableFromInline
  init(
    _ kind: some TableKind, _ rule: Rule, _ run: RunInput, over weights: WeightStorage<Rule.Cell>?,
    make: @escaping MakePool
  ) throws {
    table = ValueTable(
      weights: try weights ?? WeightStorage(count: kind.weightCount), rule: rule, featureCount: kind.featureCount,
      stages: kind.stages)
    table.initialize(toValue: run.initialValue, count: kind.filled?.stageWeightCount ?? kind.weightCount)
    replicas =
      run.configuration.hasReplicas(on: run.communicator.size)
      ? try Replicas(of: table.weights, run.configuration, communicator: run.communicator) : nil
    self.make = make
  }

  /// Makes the workers; those of replicas learn weights of their own.
  ///
  /// - Parameter streams: a random stream for each worker of all ranks
  package func makePool(_ streams: [RandomStream], isStaged: Bool = true) -> any SelfPlayPool {
    guard let replicas else { return make(table, streams, isStaged) }
    return replicas.pool(streams) { weights, streams in make(table.over(weights), streams, isStaged) }
  }
}
