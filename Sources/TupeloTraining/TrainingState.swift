internal import Safetensors
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// What a run trains: parameters, the workers that learn them, and what is done with them between rounds.
///
/// Every call is for the time between rounds.
protocol TrainingState: AnyObject {
  var pool: any SelfPlayPool { get }
  /// What is done with the parameters as training goes on, in this order.
  var tasks: [RoundTask] { get }
  var hasHugePages: Bool { get }
  /// What a checkpoint holds of the state.
  var tensors: [TensorDescription] { get }

  /// - Returns: whether the tensor is one of the state.
  func write(_ tensor: TensorDescription, to sink: inout TensorSink) throws -> Bool
  /// Takes up what a checkpoint holds.
  ///
  /// - Parameter countsVisits: whether the checkpoint's run counted visits
  func read(from file: SafetensorsFile, countsVisits: Bool) throws
  /// Copies what a trained network knows into tables of the same patterns.
  func read(initial file: SafetensorsFile) throws
  /// Sets everything as it is to be after `games` games, before the first round.
  func begin(after games: Int) throws

  /// What can be said about the weights of each table as a whole.
  func diagnostics() -> [TableDiagnostics]
  /// How far the weights have moved since they were last looked at, in score points, which is done anew; `nil` for the
  /// first time.
  ///
  /// - Parameter looks: one per storage; none before the first time
  func updateNorm(since looks: inout [UpdateNorm]) -> Double?
  /// A copy of the weights to play with: their average where there is one.
  func model() throws(WeightStorageError) -> TrainedModel
}
