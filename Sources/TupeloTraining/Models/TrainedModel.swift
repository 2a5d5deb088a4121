public import Safetensors
public import TupeloEngine
public import TupeloNetwork
public import TupeloSearch
public import TupeloStates
internal import TupeloTables

/// A model to play with, of any kind that can be trained. Only this type knows the kinds.
public enum TrainedModel: Sendable {
  case network(NTupleNetwork)
  case states(StateNetwork)

  /// Loads a model file, or a checkpoint's weights to play with.
  ///
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError`, `CompactModelError` or `StateModelError`, whose
  ///   text is one line that names the file; `WeightStorageError` when it does not fit into memory.
  public init(path: String) throws { try self.init(file: SafetensorsFile(path: path)) }

  public init(file: SafetensorsFile) throws {
    self =
      try ModelDescription(in: file).states == nil
      ? .network(NTupleNetwork(file: file)) : .states(StateNetwork(file: file))
  }

  public var description: ModelDescription {
    switch self {
    case .network(let network): ModelDescription(network.specification)
    case .states(let network): ModelDescription(network.specification.patterns, states: network.specification)
    }
  }

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
  public func folded() throws -> TrainedModel {
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

/// Why a model cannot be written in a format.
public enum TrainedModelError: Error, Hashable, Sendable {
  case states(path: String)
}

extension TrainedModelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .states(let path):
      "\(path): a TDL2048+ file holds patterns and this network has a table of states, too: export it in another format"
    }
  }
}
