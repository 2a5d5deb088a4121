internal import Safetensors
public import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
public import TupeloTables

/// The values of states, which greedy play needs in addition to the rewards of choices.
///
/// One thread uses an evaluator, which may keep memory for its work.
public protocol StateEvaluator: ~Copyable, SendableMetatype {
  associatedtype State

  /// The expected sum of the rewards that follow a state, in the units of the rewards.
  mutating func value(of state: State) -> Float
}

/// The learned values of a run: a value for every state that its encoder can turn into features.
///
/// They do not change while training continues. Any number of threads may share them. Each thread makes its own
/// evaluator.
public struct LearnedValues<Encoder: FeatureEncoder>: Sendable {
  public let encoder: Encoder
  @usableFromInline let weights: WeightStorage<PlainCell>

  init(_ encoder: Encoder, _ weights: WeightStorage<PlainCell>) {
    precondition(
      encoder.layout.weightCount <= weights.count, "the encoder is of a larger network than the run has learned")
    (self.encoder, self.weights) = (encoder, weights)
  }

  /// Makes an evaluator for one thread.
  @inlinable public func makeEvaluator() -> LearnedEvaluator<Encoder> { LearnedEvaluator(self) }
}

/// Looks up learned values, for one thread.
public struct LearnedEvaluator<Encoder: FeatureEncoder>: ~Copyable, StateEvaluator {
  @usableFromInline let encoder: Encoder
  @usableFromInline let weights: WeightStorage<PlainCell>
  @usableFromInline var features: FeatureBuffer

  @inlinable
  init(_ values: LearnedValues<Encoder>) {
    (encoder, weights) = (values.encoder, values.weights)
    features = encoder.makeBuffer(slots: 1)
  }

  /// - Complexity: O(features)
  @inlinable
  public mutating func value(of state: Encoder.State) -> Float {
    encoder.write(state, into: &features, slot: 0)
    return weights.sum(features, slot: 0)
  }
}

extension LearnedValues {
  /// Loads the values of a checkpoint of a game that the caller defines: the averaged values, if the checkpoint has an
  /// average.
  ///
  /// - Parameters:
  ///   - path: the checkpoint
  ///   - game: the game's name; see `SelfPlayGame.name`
  ///   - encoder: that of the run
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError`: the text is one line that names the file;
  ///   `TrainingError.badName`; `WeightStorageError.outOfMemory`.
  public init(path: String, game: String, encoder: Encoder) throws {
    try self.init(path: path, OwnTables(game: game, encoder.layout), encoder)
  }

  private init(path: String, _ tables: OwnTables, _ encoder: Encoder) throws {
    let file = try ModelFile.checkpoint(at: path, of: tables.metadata)
    let (map, prefix) = (tables.map, ModelFile.averagePrefix)
    let hasAverage = file.tensor(named: prefix + PlainCell.planes[0] + ".0") != nil
    let weights = try WeightStorage<PlainCell>(count: tables.weightCount)
    try weights.read(from: file, as: map, prefix: hasAverage ? prefix : "")
    self.init(encoder, weights)
  }
}

extension LearnedValues where Encoder.State == Afterstate {
  /// Loads the values of a checkpoint of 2048 with an encoder that the caller defines: the averaged values, if the
  /// checkpoint has an average.
  ///
  /// - Parameters:
  ///   - path: the checkpoint
  ///   - encoder: that of the run
  /// - Throws: the errors of `init(path:game:encoder:)`.
  public init(path: String, encoder: Encoder) throws {
    try self.init(path: path, OwnTables(encoder: OwnParts.name(of: Encoder.self), encoder.layout), encoder)
  }
}

extension Trainer {
  /// The values that the run has learned so far. They are averaged, if the configuration averages and there has been a
  /// merge. Call this method between rounds.
  ///
  /// - Parameter encoder: the encoder of the run
  /// - Throws: `WeightStorageError.outOfMemory`; `TrainingError.otherEncoder` for an encoder whose number of features
  ///   or weights differs from the run's; `TrainedModelError` for a dense network.
  public func values<Encoder: FeatureEncoder>(_ encoder: Encoder) throws -> LearnedValues<Encoder> {
    guard let tables = state as? any TableWeights else { throw TrainedModelError.dense(path: configuration.name) }
    let layout = encoder.layout
    let isOwn = configuration.own.game != nil || configuration.own.encoder != nil
    let counts = isOwn ? OwnTables.storedCount(layout) : layout.weightCount
    guard layout.featureCount == tables.featureCount, counts == tables.weightCount else {
      throw TrainingError.otherEncoder(
        features: layout.featureCount, weights: layout.weightCount, of: tables.featureCount, tables.weightCount)
    }
    return LearnedValues(encoder, try tables.played(isCopy: true))
  }
}

/// A state whose parameters are weights in tables.
protocol TableWeights {
  var featureCount: Int { get }
  var weightCount: Int { get }
  func played(isCopy: Bool) throws(WeightStorageError) -> WeightStorage<PlainCell>
}

extension TableTraining: TableWeights {
  var featureCount: Int { kind.featureCount }
  var weightCount: Int { kind.weightCount }
}
