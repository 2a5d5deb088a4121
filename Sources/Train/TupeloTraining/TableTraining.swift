internal import Safetensors
package import TupeloCluster
internal import TupeloConfiguration
package import TupeloLearning
package import TupeloNetwork
internal import TupeloTables

/// Trains weights in tables by one step-size rule, for any game and encoder. It has the workers, and the work on whole
/// tables between rounds.
package final class TableTraining<Rule: StepSizeRule>: TrainingState {
  let configuration: RunConfiguration
  let kind: any TableKind
  /// The layout of the weights in files.
  let map: TableMap
  let weights: WeightStorage<Rule.Cell>
  let average: WeightAverage?
  package private(set) var pool: any SelfPlayPool
  /// The weights that training changes: those of stages that are not frozen.
  private let changeable: [Range<Int>]
  private let maker: WorkerMaker<Rule>
  /// Whether later stages use weights of their own yet.
  private var isStaged = true

  init(_ kind: any TableKind, _ run: RunInput, _ maker: WorkerMaker<Rule>) throws {
    (configuration, self.kind, self.maker) = (run.configuration, kind, maker)
    (map, weights) = (kind.map, maker.table.weights)
    changeable = kind.stages.changeable(of: kind.weightCount)
    let averaging = configuration.averaging
    average =
      averaging.everyGames > 0
      ? try WeightAverage(count: kind.weightCount, window: averaging.window, changing: changeable) : nil
    pool = maker.makePool(run.streams)
    if run.initialValue != 0 { weightsChanged() }
  }

  package var tables: [NetworkTable] { map.tables }
  package var metadata: [String: String] { kind.metadata }
  package var hasHugePages: Bool { weights.hasHugePages }
  package var keepsSums: Bool { Rule.sumsErrors }
  package var merges: MergeTotals? { maker.replicas?.mergeTotals }

  /// Copies of the first stage, decay, averaging, halving of large sums, and the changes of the schedule.
  package var tasks: [RoundTask] {
    let (averaging, decay) = (configuration.averaging, configuration.decay)
    var copies: [RoundTask] = []
    if let network = kind.filled {
      copies.append(
        RoundTask(at: [configuration.stages.afterGames]) { [self] _ in
          changeAll { $0.copyFirstStage(of: network) }
        })
    }
    return copies + [
      RoundTask(every: decay.share > 0 ? decay.everyGames : 0) { [self] multiples, _ in
        changeAll { weights in for _ in multiples { weights.decay(by: decay.share) } }
      },
      RoundTask(every: averaging.everyGames) { [self] multiples, _ in
        try weights.reading { try average?.merge($0, merges: multiples, filled: kind.filled) }
      },
      RoundTask(every: Rule.sumsErrors ? halvingGames : 0) { [self] _ in
        if weights.exclusively(changing: changeable, { $0.halveSums(from: kind.sumLimit) }) { weightsChanged() }
      },
      RoundTask(at: configuration.phaseChanges) { [self] games in setPhase(after: games) },
    ]
  }

  package func begin(after games: Int, since start: Int) throws {
    let period = configuration.averaging.everyGames
    average?.isEmpty = games / period == start / period
    setPhase(after: games)
  }

  package func scalars() -> [String: Double] { Rule.scalars(of: weights.sampleInUse) }

  private func changeAll(_ change: (inout ExclusiveWeights<Rule.Cell>) -> Void) {
    weights.exclusively(changing: changeable, change)
    weightsChanged()
  }

  /// Records that whole tables have changed, so that the replicas copy them before the next round.
  func weightsChanged() { maker.replicas?.weightsChanged() }

  private func setPhase(after games: Int) {
    let isStaged = configuration.phase(after: games).isStaged
    if isStaged != self.isStaged {
      let starts = pool.starts
      self.isStaged = isStaged
      pool = maker.makePool(pool.streams, isStaged: isStaged)
      precondition(pool.restore(starts: starts), "start positions come from the same configuration")
    }
    let step = configuration.schedule.stepSize(after: games, alpha: maker.table.rule.alpha)
    pool.setStepSize(step.alpha, isWarmUp: step.isWarmUp)
  }
}
