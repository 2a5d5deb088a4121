public import Safetensors
public import TupeloEngine
public import TupeloNetwork
public import TupeloStates

/// What a model file or a run holds: an n-tuple network, and states on top of it where it has such.
public struct ModelDescription: Hashable, Sendable {
  public let patterns: NetworkSpecification
  /// The network with its states; `nil` for patterns alone.
  public let states: StateSpecification?

  init(_ patterns: NetworkSpecification, states: StateSpecification? = nil) {
    (self.patterns, self.states) = (patterns, states)
  }

  /// Reads the header of a model file or checkpoint.
  ///
  /// - Throws: `ModelFileError`.
  public init(in file: SafetensorsFile) throws(ModelFileError) {
    if let states = try StateSpecification(in: file) {
      self.init(states.patterns, states: states)
    } else {
      self.init(try ModelFile.specification(in: file))
    }
  }

  public var shape: BoardShape { patterns.shape }
  /// The model in one line, the same for equal ones.
  public var canonicalText: String { states?.canonicalText ?? patterns.canonicalText }
  /// 16 hex digits that name the structure.
  public var fingerprint: String { ModelFile.fingerprint(of: canonicalText) }
  /// All tables, in the order of files.
  public var tables: [NetworkTable] { states?.tables ?? patterns.tables }
  /// Weights in all tables.
  public var weightCount: Int { states?.weightCount ?? patterns.weightCount }
}

extension RunConfiguration {
  /// The network, and its states where it has such.
  public var model: ModelDescription {
    ModelDescription(
      network, states: states.bits > 0 ? StateSpecification(network, bits: states.bits) : nil)
  }
}
