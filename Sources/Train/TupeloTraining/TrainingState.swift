package import Safetensors
package import TupeloCluster
package import TupeloLearning
package import TupeloModels
package import TupeloNetwork

/// The parameters of a run, the workers that learn them, and the tasks between rounds.
///
/// Every method may be called only between rounds.
package protocol TrainingState: AnyObject {
  var pool: any SelfPlayPool { get }
  /// The tasks between rounds, in the order in which they run.
  var tasks: [RoundTask] { get }
  var hasHugePages: Bool { get }
  /// Whether the step-size rule keeps sums for each weight, as temporal coherence does.
  var keepsSums: Bool { get }
  /// The cost of merging replicas so far; `nil` without replicas.
  var merges: MergeTotals? { get }
  /// The tables in files.
  var tables: [NetworkTable] { get }
  /// The metadata of the model in a checkpoint.
  var metadata: [String: String] { get }
  /// The tensors that a checkpoint holds of the state.
  var tensors: [TensorDescription] { get }

  /// Writes a tensor if it belongs to the state.
  ///
  /// - Returns: whether the tensor belongs to the state.
  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool
  /// Restores the state from a checkpoint.
  func read(from file: SafetensorsFile) throws
  /// Copies the weights of a trained network into tables of the same patterns.
  ///
  /// - Parameter model: what the file holds
  func read(initial file: SafetensorsFile, of model: ModelDescription) throws
  /// Prepares everything for the first round.
  ///
  /// - Parameters:
  ///   - games: the games of the run so far
  ///   - start: the games after which the run began, or went on without the average of its weights
  func begin(after games: Int, since start: Int) throws

  /// Statistics of the weights of each table.
  func diagnostics() -> [TableDiagnostics]
  /// The numbers of a step-size rule; see `StepSizeRule.scalars(of:)`.
  func scalars() -> [String: Double]
  /// The norm of the weights' change since the last call, in score points; `nil` for the first call.
  ///
  /// - Parameter look: a sample of the weights at the last call; `nil` before the first call
  func updateNorm(since look: inout UpdateNorm?) -> Double?
  /// The model for play: with the average of the weights if there is one.
  ///
  /// - Parameter isCopy: whether the weights are certainly a copy, which may be changed. Otherwise they may share the
  ///   memory of the average until the next merge, and may only be read
  func model(isCopy: Bool) throws -> TrainedModel
}

extension TrainingState {
  package var merges: MergeTotals? { nil }
  package func scalars() -> [String: Double] { [:] }
}
