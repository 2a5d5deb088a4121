public import Safetensors
public import TupeloEngine
public import TupeloNetwork
public import TupeloSearch
internal import TupeloTables

/// A model of 2048 to play with, of any kind that can be trained.
public enum BoardModel: StoredModel, Sendable {
  case network(NTupleNetwork)
  case dense(DenseBoardModel)

  /// Loads an open model file, or a checkpoint's weights to play with.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError`, whose text is one line that names the file;
  ///   `WeightStorageError` or `DenseError` when it does not fit into memory; `TrainedModelError.otherGame`.
  public init(file: SafetensorsFile) throws {
    switch try ModelDescription(in: file) {
    case .network: self = .network(try NTupleNetwork(file: file))
    case .dense(let dense) where dense.game == .twentyFortyEight: self = .dense(try DenseBoardModel(file: file))
    case .dense, .set: throw TrainedModelError.otherGame(path: file.path, .set, wanted: .twentyFortyEight)
    }
  }

  public var description: ModelDescription {
    switch self {
    case .network(let network): .network(network.specification)
    case .dense(let model): .dense(model.specification)
    }
  }

  /// The board that it plays on.
  public var shape: BoardShape {
    switch self {
    case .network(let network): network.specification.shape
    case .dense(let model): model.encoder.specification.shape
    }
  }

  /// The n-tuple network.
  ///
  /// - Parameter path: where the model came from
  /// - Throws: `TrainedModelError.dense`.
  public func patterns(path: String) throws -> NTupleNetwork {
    switch self {
    case .network(let network): network
    case .dense: throw TrainedModelError.dense(path: path)
    }
  }

  /// The identity of the model: 16 hex digits, a hash of its structure and of every weight that plays. Two files with
  /// equal identities play alike, in whatever form they are stored.
  ///
  /// - Complexity: O(weights), half a second for 134 million.
  public var identity: String {
    var hash = WeightHash()
    switch self {
    case .network(let network): network.add(to: &hash)
    case .dense(let model): return model.identity
    }
    return hash.text
  }

  /// Makes an agent that plays by the model. Each kind of model has its own compiled searches.
  public func makeAgent(_ specification: AgentSpecification, rules: Rules = .standard, seed: UInt64 = 0) -> AnyAgent {
    switch self {
    case .network(let network): specification.makeAgent(model: network, rules: rules, seed: seed)
    case .dense(let model): specification.makeAgent(model: model, rules: rules, seed: seed)
    }
  }

  /// Writes a model file to play with; see `NTupleNetwork.save`.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    switch self {
    case .network(let network): try network.save(to: path, format: format, metadata: metadata)
    case .dense(let model): try model.save(to: path, format: format, metadata: metadata)
    }
  }

  /// The model with its patterns folded into fewer ones; values do not change. See `NTupleNetwork.folded()`.
  ///
  /// - Parameter path: where the model came from
  /// - Throws: `FoldError`; `WeightStorageError.outOfMemory`; `TrainedModelError.dense`.
  public func folded(path: String) throws -> BoardModel {
    switch self {
    case .network(let network): .network(try network.folded())
    case .dense: throw TrainedModelError.dense(path: path)
    }
  }

  /// Writes a TDL2048+ weight file.
  ///
  /// - Throws: `TrainedModelError.dense` for a dense network; the errors of `NTupleNetwork.saveTDLWeightFile`.
  public func saveTDLWeightFile(to path: String) throws {
    switch self {
    case .network(let network): try network.saveTDLWeightFile(to: path)
    case .dense: throw TrainedModelError.dense(path: path)
    }
  }
}
