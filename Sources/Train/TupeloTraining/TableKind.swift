package import Safetensors
package import TupeloConfiguration
public import TupeloLearning
package import TupeloModels
package import TupeloNetwork
public import TupeloSelfPlay
package import TupeloTables

/// The tables of a game in training: the game, the encoder of its states, and their layout in memory and files.
@usableFromInline
package protocol TableKind {
  associatedtype Game: SelfPlayGame
  associatedtype Encoder: FeatureEncoder where Encoder.State == Game.Choices.State

  var game: Game { get }
  /// The encoder of the game's states.
  ///
  /// - Parameter isStaged: whether later stages use weights of their own yet
  func encoder(isStaged: Bool) -> Encoder

  /// The metadata of the model in files.
  var metadata: [String: String] { get }
  /// The layout of the weights in files.
  var map: TableMap { get }
  var weightCount: Int { get }
  /// The number of weights that make up a value.
  var featureCount: Int { get }
  /// The number of games that each worker interleaves: that of the configuration by default.
  func gamesAtOnce(_ configuration: RunConfiguration) -> Int
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
  /// - Throws: `TrainingError.ownGame` or `ownEncoder` for a game or encoder that the caller defines; the errors of
  ///   `weights`.
  func model(_ weights: () throws -> WeightStorage<PlainCell>) throws -> TrainedModel

  /// Copies the weights of another model's file into new weights.
  func read<Cell: WeightCell>(
    initial file: SafetensorsFile, of model: ModelDescription, into weights: WeightStorage<Cell>) throws
}

extension TableKind {
  /// The state of a run that trains the tables by the rule that its configuration names.
  @inlinable @inline(__always)
  package func makeTraining(_ run: RunInput) throws -> TableRun {
    let alpha = run.configuration.stepSize.alpha
    switch run.configuration.stepSize.rule {
    case .constant:
      return try TableRun(self, run, WorkerMaker(self, ConstantStepSize(alpha: alpha), run))
    case .temporalCoherence:
      return try TableRun(self, run, WorkerMaker(self, TemporalCoherence(alpha: alpha), run))
    case .adam: preconditionFailure("a valid configuration trains tables without Adam")
    }
  }

  @usableFromInline package var stages: StageRules { StageRules() }
  @usableFromInline package var filled: NetworkSpecification? { nil }
  @usableFromInline package var sumLimit: Float { 0x1p24 }
  @usableFromInline
  package func gamesAtOnce(_ configuration: RunConfiguration) -> Int { configuration.gamesAtOnce }
}

/// A run of tables, of any game and rule. Inlinable functions return it in place of the state, because they must not
/// name `TrainingState`.
@usableFromInline
package struct TableRun {
  package let state: any TrainingState

  @usableFromInline
  init<Rule: StepSizeRule>(_ kind: any TableKind, _ run: RunInput, _ maker: WorkerMaker<Rule>) throws {
    state = try TableTraining(kind, run, maker)
  }
}
