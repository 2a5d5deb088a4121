public import Safetensors
public import TupeloEngine
public import TupeloNetwork
public import TupeloStates

/// The structure of a model: an n-tuple network, and whole-state weights on top of it if there are any.
public struct ModelDescription: Hashable, Sendable {
  public let patterns: NetworkSpecification
  /// The network with its states; `nil` for a network without states.
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
  /// The structure in one line, the same for equal models.
  public var canonicalText: String { states?.canonicalText ?? patterns.canonicalText }
  /// The structure in a few words; see `NetworkSpecification.title`.
  package var title: String { patterns.title + (states.map { ", states=\($0.bits)" } ?? "") }
  /// The fingerprint: 16 hex digits that identify the structure.
  public var fingerprint: String { ModelFile.fingerprint(of: canonicalText) }
  /// All tables, in the order of files.
  public var tables: [NetworkTable] { states?.tables ?? patterns.tables }
  /// The number of weights in all tables.
  public var weightCount: Int { states?.weightCount ?? patterns.weightCount }
}

extension RunConfiguration {
  /// The structure of the model that the configuration trains.
  public var model: ModelDescription {
    ModelDescription(
      network, states: states.bits > 0 ? StateSpecification(network, bits: states.bits) : nil)
  }
}
