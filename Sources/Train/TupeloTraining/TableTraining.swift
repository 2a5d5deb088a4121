internal import Safetensors
package import TupeloCluster
package import TupeloConfiguration
internal import TupeloBase
package import TupeloLearning
package import TupeloNetwork
package import TupeloTables

/// Trains weights in tables by one step-size rule, for any game and encoder. It has the workers, and the work on whole
/// tables between rounds.
package final class TableTraining<Rule: StepSizeRule>: TrainingState {
  let configuration: RunConfiguration
  let kind: TableKind<Rule>
  let weights: WeightStorage<Rule.Cell>
  let average: WeightAverage?
  package private(set) var pool: any SelfPlayPool
  private let rule: Rule
  private var plan: WorkerPlan<Rule>
  /// The replicas that learn and are merged into `weights`; `nil` if the workers change `weights` directly.
  private let replicas: Replicas<Rule.Cell>?
  /// Whether the pool uses the weights of later stages.
  private var isStaged = true

  /// - Parameters:
  ///   - rule: the rule with its first step size, which a schedule of the configuration may change
  ///   - kind: the description of the tables and of their workers
  ///   - streams: the random streams of all workers
  ///   - initialValue: the value of every state before training, in score points
  ///   - makeReplicas: makes replicas of the weights; `nil` for workers that change the weights directly
  package init(
    _ rule: Rule, _ configuration: RunConfiguration, _ kind: TableKind<Rule>, streams: [RandomStream],
    initialValue: Float = 0, makeReplicas: (WeightStorage<Rule.Cell>) throws -> Replicas<Rule.Cell>? = { _ in nil }
  ) throws {
    (self.configuration, self.rule, self.kind) = (configuration, rule, kind)
    weights = try WeightStorage(count: kind.weightCount)
    let averaging = configuration.averaging
    average =
      averaging.everyGames > 0 ? try WeightAverage(count: kind.weightCount, window: averaging.window) : nil
    let table = TemporalDifferenceLearner(
      weights: weights, rule: rule, featureCount: kind.featureCount, stages: kind.stages)
    table.initialize(toValue: initialValue, count: kind.initialCount)
    plan = WorkerPlan(table, configuration, streams: streams, gamesAtOnce: kind.gamesAtOnce)
    replicas = try makeReplicas(weights)
    pool = Self.makePool(plan, kind, replicas, isStaged: true)
    if initialValue != 0 { weightsChanged() }
  }

  private static func makePool(
    _ plan: WorkerPlan<Rule>, _ kind: TableKind<Rule>, _ replicas: Replicas<Rule.Cell>?, isStaged: Bool
  ) -> any SelfPlayPool {
    replicas?.makePool(plan) { kind.makeWorkers($0, isStaged) } ?? kind.makeWorkers(plan, isStaged).pool
  }

  package var tables: [NetworkTable] { kind.map.tables }
  package var metadata: [String: String] { kind.metadata }
  package var hasHugePages: Bool { weights.hasHugePages }
  package var keepsSums: Bool { Rule.Cell.sumCount > 0 }
  package var merges: MergeTotals? { replicas?.mergeTotals }

  /// The kind's own changes of whole tables, decay, averaging, and the changes of the schedule.
  package var tasks: [RoundTask] {
    let (averaging, decay) = (configuration.averaging, configuration.decay)
    return kind.changes.map { change in RoundTask(change.times) { [self] _ in changeAll(change.apply) } } + [
      RoundTask(every: decay.share > 0 ? decay.everyGames : 0) { [self] _ in changeAll { $0.decay(by: decay.share) } },
      RoundTask(every: averaging.everyGames) { [self] games in
        try weights.exclusively { weights in
          try average?.merge(weights, merges: games / averaging.everyGames - 1, filled: kind.filled)
        }
      },
      RoundTask(at: configuration.phaseChanges) { [self] games in setPhase(after: games) },
    ]
  }

  package func begin(after games: Int) throws {
    average?.isEmpty = games < configuration.averaging.everyGames
    setPhase(after: games)
  }

  private func changeAll(_ change: (inout ExclusiveWeights<Rule.Cell>) -> Void) {
    weights.exclusively(change)
    weightsChanged()
  }

  /// Records that whole tables have changed, so that the replicas copy them before the next round.
  func weightsChanged() { replicas?.weightsChanged() }

  private func setPhase(after games: Int) {
    let isStaged = configuration.phase(after: games).isStaged
    if isStaged != self.isStaged {
      let starts = pool.starts
      plan.streams = pool.streams
      pool = Self.makePool(plan, kind, replicas, isStaged: isStaged)
      precondition(pool.restore(starts: starts), "start positions come from the same configuration")
      self.isStaged = isStaged
    }
    let step = configuration.schedule.stepSize(after: games, alpha: rule.alpha)
    pool.setStepSize(step.alpha, isWarmUp: step.isWarmUp)
  }
}
