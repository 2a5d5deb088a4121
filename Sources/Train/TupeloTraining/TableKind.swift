package import Safetensors
package import TupeloLearning
package import TupeloModels
package import TupeloNetwork
package import TupeloTables

/// The tables of a run and their workers: everything that the training of tables needs from a game.
package struct TableKind<Rule: StepSizeRule> {
  /// The metadata of the model in files.
  package var metadata: [String: String]
  /// The layout of the weights in files.
  package var map: TableMap
  package var weightCount: Int
  /// The number of weights that make up a value.
  package var featureCount: Int
  /// The number of games that each worker interleaves.
  package var gamesAtOnce = 1
  /// Makes the workers, by `WorkerPlan.makeWorkers`.
  ///
  /// - Parameter isStaged: whether later stages use separate weights yet
  package var makeWorkers: (_ plan: WorkerPlan<Rule>, _ isStaged: Bool) -> Workers
  /// Makes a model from weights; `nil` for a game that only the caller's program defines.
  package var makeModel: ((WeightStorage<PlainCell>) -> TrainedModel)?
  /// Copies the weights of another model's file into new weights.
  package var readInitial: (SafetensorsFile, ModelDescription, WeightStorage<Rule.Cell>) throws -> Void

  // Members that only networks with stages and fine-tuned networks use.

  package var stages = StageRules()
  /// The number of weights that begin at the initial value.
  package var initialCount: Int
  /// The network, if play replaces zero weights of its later stages with weights of earlier stages; `nil` otherwise.
  package var filled: NetworkSpecification?
  /// Changes of whole tables between rounds, in the order in which they run, before decay.
  package var changes: [Change] = []

  /// A change of all weights at certain numbers of games.
  package struct Change {
    package var times: RoundTask.Times
    package var apply: (inout ExclusiveWeights<Rule.Cell>) -> Void
  }

  package init(
    _ map: TableMap, metadata: [String: String], weightCount: Int, featureCount: Int,
    makeWorkers: @escaping (_ plan: WorkerPlan<Rule>, _ isStaged: Bool) -> Workers,
    makeModel: ((WeightStorage<PlainCell>) -> TrainedModel)?,
    readInitial: @escaping (SafetensorsFile, ModelDescription, WeightStorage<Rule.Cell>) throws -> Void
  ) {
    (self.map, self.metadata, self.weightCount, self.featureCount) = (map, metadata, weightCount, featureCount)
    (self.makeWorkers, self.makeModel, self.readInitial) = (makeWorkers, makeModel, readInitial)
    initialCount = weightCount
  }
}
