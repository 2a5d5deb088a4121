public import Safetensors
public import SetNetwork
public import TupeloNetwork
public import TupeloStates

/// The structure of a model: an n-tuple network, whole-state weights on top of one, or a network of Set.
public enum ModelDescription: Hashable, Sendable {
  case network(NetworkSpecification)
  case states(StateSpecification)
  case set(SetSpecification)

  /// Reads the header of a model file or checkpoint.
  ///
  /// - Throws: `ModelFileError`.
  public init(in file: SafetensorsFile) throws(ModelFileError) {
    if let set = try SetSpecification(in: file) {
      self = .set(set)
    } else if let states = try StateSpecification(in: file) {
      self = .states(states)
    } else {
      self = .network(try ModelFile.specification(in: file))
    }
  }

  public var game: GameKind {
    if case .set = self { .set } else { .twentyFortyEight }
  }

  /// The n-tuple network; `nil` for another game.
  public var patterns: NetworkSpecification? {
    switch self {
    case .network(let network): network
    case .states(let states): states.patterns
    case .set: nil
    }
  }

  /// The network with its states; `nil` for a network without states.
  public var states: StateSpecification? {
    if case .states(let states) = self { states } else { nil }
  }

  /// The structure in one line, the same for equal models.
  public var canonicalText: String {
    switch self {
    case .network(let network): network.canonicalText
    case .states(let states): states.canonicalText
    case .set(let set): set.canonicalText
    }
  }

  /// The structure in a few words; see `NetworkSpecification.title`.
  package var title: String {
    switch self {
    case .network(let network): network.title
    case .states(let states): states.patterns.title + ", states=\(states.bits)"
    case .set(let set): set.canonicalText
    }
  }

  /// The fingerprint: 16 hex digits that identify the structure.
  public var fingerprint: String { ModelFile.fingerprint(of: canonicalText) }

  /// All tables, in the order of files.
  public var tables: [NetworkTable] {
    switch self {
    case .network(let network): network.tables
    case .states(let states): states.tables
    case .set(let set): [set.table]
    }
  }

  /// The number of weights in all tables.
  public var weightCount: Int { tables.reduce(0) { $0 + $1.size } }

  /// The number of weights that make up a value, or of patterns' weights where there are states.
  public var featureCount: Int {
    switch self {
    case .network(let network): network.featureCount
    case .states(let states): states.patterns.featureCount
    case .set(let set): set.featureCount
    }
  }
}

extension RunConfiguration {
  /// The structure of the model that the configuration trains.
  public var model: ModelDescription {
    switch game {
    case .set: .set(SetSpecification(set))
    case .twentyFortyEight where states.bits > 0: .states(StateSpecification(network, bits: states.bits))
    case .twentyFortyEight: .network(network)
    }
  }

  /// The game and its rules.
  public var gameRules: GameRules {
    switch game {
    case .set: .set(set)
    case .twentyFortyEight: .board(rules)
    }
  }
}
