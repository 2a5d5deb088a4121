internal import DurableFiles
public import Safetensors
internal import TupeloEngine
public import TupeloNetwork
internal import TupeloTables

/// Reads and writes model files of networks with states.
///
/// The file is that of an n-tuple network (see `ModelFile`) with one more table, the weights by slot, and the tensor
/// `states`, which says which state has which slot.
extension StateNetwork {
  /// Loads a model file or the weights of a checkpoint.
  ///
  /// - Throws: `SystemError`, `SafetensorsError`, `ModelFileError`, `CompactModelError` or `StateModelError` for a file
  ///   that is missing, damaged or no such model; `WeightStorageError` when it does not fit into memory.
  public convenience init(file: SafetensorsFile) throws {
    guard let specification = try StateSpecification(in: file) else {
      throw StateModelError.noStates(path: file.path)
    }
    var stored = try StoredWeights(file, tables: specification.tables)
    let patterns = try NTupleNetwork(specification.patterns, &stored, of: file)
    let (states, weights) = (
      try StateIndex(specification), try WeightStorage<PlainCell>(count: 1 << specification.bits)
    )
    try states.read(from: file)
    try weights.fill(&stored, as: specification.tableMap)
    self.init(patterns, states: states, weights: weights)
  }

  /// Writes a model file to play with; see `NTupleNetwork.save`.
  public func save(to path: String, format: PlayFormat = .f32, metadata: [String: String] = [:]) throws {
    try ModelWriter(
      text: specification.canonicalText,
      parts: [
        ModelWriter.Part(weights: patterns.weights, map: patterns.indexer.tableMap),
        ModelWriter.Part(weights: weights, map: specification.tableMap),
      ],
      extras: [ModelWriter.Extra(states.tensor) { try self.states.write(to: &$0) }]
    ).write(to: path, format: format, metadata: metadata)
  }
}

extension StateSpecification {
  /// Reads the specification of a model file; `nil` for a network without states.
  ///
  /// - Throws: `ModelFileError`.
  public init?(in file: SafetensorsFile) throws(ModelFileError) {
    let text = try ModelFile.text(in: file)
    do {
      guard let specification = try StateSpecification(canonicalText: text) else { return nil }
      self = specification
    } catch {
      throw .badNetwork(path: file.path, reason: "\(error)")
    }
  }
}

/// Why a file is not a network with states, or not the expected one.
public enum StateModelError: Error, Hashable, Sendable {
  case noStates(path: String)
  case otherStates(path: String, expected: Int)
}

extension StateModelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noStates(let path): "\(path): a network without weights for whole states: load it as an n-tuple network"
    case .otherStates(let path, let expected):
      "\(path): the tensor \(StateIndex.tensorName) is not U32 [\(expected)]: the file is of another network"
    }
  }
}
