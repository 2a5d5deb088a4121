package import Safetensors
package import TupeloLearning
package import TupeloModels
package import TupeloNetwork
package import TupeloTables

/// The tables of a game in training: everything that the training of tables needs from a game, except for its workers.
package protocol TableKind {
  /// The metadata of the model in files.
  var metadata: [String: String] { get }
  /// The layout of the weights in files.
  var map: TableMap { get }
  var weightCount: Int { get }
  /// The number of weights that make up a value.
  var featureCount: Int { get }
  /// The number of games that each worker interleaves.
  var gamesAtOnce: Int { get }
  /// How the stages of the network depend on each other. One stage by default.
  var stages: StageRules { get }
  /// The network, if its later stages take over weights of earlier stages. Such a network begins with the weights of
  /// the first stage alone, and play replaces zero weights of later stages. `nil` by default.
  var filled: NetworkSpecification? { get }

  /// The sum of absolute errors A, in the unit of rewards, from which on E and A of a weight are halved together: about
  /// a million typical errors of the game. 2^24 by default.
  var sumLimit: Float { get }

  /// Makes a model for play.
  ///
  /// - Throws: `TrainingError.ownGame` for a game that only the caller's program defines; the errors of `weights`.
  func model(_ weights: () throws -> WeightStorage<PlainCell>) throws -> TrainedModel

  /// Copies the weights of another model's file into new weights.
  func read<Cell: WeightCell>(
    initial file: SafetensorsFile, of model: ModelDescription, into weights: WeightStorage<Cell>) throws
}

extension TableKind {
  package var stages: StageRules { StageRules() }
  package var filled: NetworkSpecification? { nil }
  package var sumLimit: Float { 0x1p24 }
}
