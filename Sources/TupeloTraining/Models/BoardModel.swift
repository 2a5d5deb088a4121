public import Safetensors
public import TupeloEngine
public import TupeloNetwork
public import TupeloSearch
public import TupeloStates
internal import TupeloTables

/// A model of 2048 to play with, of any kind that can be trained.
public enum BoardModel: Sendable {
  case network(NTupleNetwork)
  case states(StateNetwork)

  /// Loads a model file, or a checkpoint's weights to play with.
  ///
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError`, `CompactModelError` or `StateModelError`, whose
  ///   text is one line that names the file; `WeightStorageError` when it does not fit into memory;
  ///   `TrainedModelError.otherGame`.
  public init(path: String) throws { try self.init(file: SafetensorsFile(path: path)) }

  public init(file: SafetensorsFile) throws {
    switch try ModelDescription(in: file) {
    case .network: self = .network(try NTupleNetwork(file: file))
    case .states: self = .states(try StateNetwork(file: file))
    case .set: throw TrainedModelError.otherGame(path: file.path, .set, wanted: .twentyFortyEight)
    }
  }

  public var description: ModelDescription {
    switch self {
    case .network(let network): .network(network.specification)
    case .states(let network): .states(network.specification)
    }
  }

  /// The board that it plays on.
  public var shape: BoardShape { patterns.specification.shape }

  /// The n-tuple network, without whole-state weights.
  public var patterns: NTupleNetwork {
    switch self {
    case .network(let network): network
    case .states(let network): network.patterns
    }
  }

  /// The identity of the model: 16 hex digits, a hash of its structure and of every weight that plays. Two files with
  /// equal identities play alike, in whatever form they are stored.
  ///
  /// - Complexity: O(weights), half a second for 134 million.
  public var identity: String {
    var hash = WeightHash()
    patterns.add(to: &hash)
    if case .states(let network) = self { network.addStates(to: &hash) }
    return hash.text
  }

  /// Makes an agent that plays by the model. Each kind of model has its own compiled searches.
  public func makeAgent(_ specification: AgentSpecification, rules: Rules = .standard, seed: UInt64 = 0) -> AnyAgent {
    switch self {
    case .network(let network): specification.makeAgent(model: network, rules: rules, seed: seed)
    case .states(let network): specification.makeAgent(model: network, rules: rules, seed: seed)
    }
  }

  /// Writes a model file to play with; see `NTupleNetwork.save`.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    switch self {
    case .network(let network): try network.save(to: path, format: format, metadata: metadata)
    case .states(let network): try network.save(to: path, format: format, metadata: metadata)
    }
  }

  /// The model with its patterns folded into fewer ones; values do not change. See `NTupleNetwork.folded()`.
  ///
  /// - Throws: `FoldError`; `WeightStorageError.outOfMemory`.
  public func folded() throws -> BoardModel {
    switch self {
    case .network(let network): .network(try network.folded())
    case .states(let network): .states(try network.folded())
    }
  }

  /// Writes a TDL2048+ weight file.
  ///
  /// - Throws: `TrainedModelError.states` for a network with states; the errors of `NTupleNetwork.saveTDLWeightFile`.
  public func saveTDLWeightFile(to path: String) throws {
    guard case .network(let network) = self else { throw TrainedModelError.states(path: path) }
    try network.saveTDLWeightFile(to: path)
  }
}
