internal import TupeloConfiguration
internal import TupeloEngine
public import TupeloLearning
public import TupeloTables

/// The weights, the rule and the settings that all workers of a run share, for any game.
///
/// The plan makes the workers, for any game and encoder. `makeWorkers` is generic and inlinable, so the compiler
/// specialises the loop in the module that calls it, for the types of that module.
@usableFromInline
package struct WorkerPlan<Rule: StepSizeRule>: Sendable {
  @usableFromInline var table: TemporalDifferenceLearner<Rule>
  /// A random stream for each worker.
  var streams: [RandomStream]
  /// Whether later stages use weights of their own yet.
  @usableFromInline var isStaged = true
  @usableFromInline let returns: LambdaReturn
  @usableFromInline let batch: Int
  let gamesAtOnce: Int
  let explorer: Explorer

  /// - Parameter gamesAtOnce: the number of episodes that each worker interleaves; with batches it plays one
  package init(
    _ table: TemporalDifferenceLearner<Rule>, _ configuration: RunConfiguration, streams: [RandomStream],
    gamesAtOnce: Int
  ) {
    (self.table, self.streams) = (table, streams)
    (returns, batch) = (configuration.returns, configuration.batch)
    self.gamesAtOnce = batch > 1 ? 1 : gamesAtOnce
    explorer = Explorer(epsilon: configuration.exploration)
  }

  /// The plan of workers that learn other weights.
  package func learning(_ weights: WeightStorage<Rule.Cell>, streams: [RandomStream]) -> Self {
    var plan = self
    (plan.table, plan.streams) = (table.learning(weights), streams)
    return plan
  }

  /// Makes workers with the learner that the configuration names.
  @inlinable
  package func makeWorkers<Game: SelfPlayGame, Encoder: FeatureEncoder>(
    _ game: Game, _ encoder: Encoder
  ) -> any SelfPlayPool where Encoder.State == Game.Choices.State {
    let (batch, returns) = (batch, returns)
    if batch > 1 { return makeWorkers(game) { BatchLearner($0, encoder: encoder, size: batch) } }
    switch returns.steps {
    case nil: return makeWorkers(game) { BackwardLearner($0, encoder: encoder, returns: returns) }
    case 1: return makeWorkers(game) { OneStepLearner($0, encoder: encoder) }
    default: return makeWorkers(game) { DelayedLearner($0, encoder: encoder, returns: returns) }
    }
  }

  /// Makes workers with a learner of the caller's choice.
  ///
  /// - Parameter makeLearner: makes the learner of a worker over the shared weights
  @inlinable
  package func makeWorkers<Game: SelfPlayGame, L: Learner & ~Copyable>(
    _ game: Game, _ makeLearner: (TemporalDifferenceLearner<Rule>) -> L
  ) -> any SelfPlayPool where L.Encoder.State == Game.Choices.State {
    WorkerPool(self) { table, random in
      LockedWorker(self, game, learner: makeLearner(table), random: random) { (worker, claims) in
        worker.play(while: claims)
      }
    }
  }
}
