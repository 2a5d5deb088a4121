public import Safetensors
public import SetAgents
internal import SetEngine
internal import TupeloDense
public import TupeloNetwork

/// The structure of a model: an n-tuple network, a network of Set, or a dense network of either game.
public enum ModelDescription: Hashable, Sendable {
  case network(NetworkSpecification)
  case set(SetSpecification)
  case dense(DenseModelSpecification)

  /// Reads the header of a model file or checkpoint.
  ///
  /// - Throws: `ModelFileError`.
  public init(in file: SafetensorsFile) throws(ModelFileError) {
    if let dense = try DenseModelSpecification(in: file) {
      self = .dense(dense)
    } else if let set = try SetSpecification(in: file) {
      self = .set(set)
    } else {
      self = .network(try ModelFile.specification(in: file))
    }
  }

  public var game: GameKind {
    switch self {
    case .network: .twentyFortyEight
    case .set: .set
    case .dense(let dense): dense.game
    }
  }

  /// The n-tuple network; `nil` for another kind of network.
  public var patterns: NetworkSpecification? {
    switch self {
    case .network(let network): network
    case .set, .dense: nil
    }
  }

  /// The structure in one line, the same for equal models.
  public var canonicalText: String {
    switch self {
    case .network(let network): network.canonicalText
    case .set(let set): set.canonicalText
    case .dense(let dense): dense.canonicalText
    }
  }

  /// The structure in a few words; see `NetworkSpecification.title`.
  package var title: String {
    switch self {
    case .network(let network): network.title
    case .set(let set): set.canonicalText
    case .dense(let dense): dense.title
    }
  }

  /// The fingerprint: 16 hex digits that identify the structure.
  public var fingerprint: String { ModelFile.fingerprint(of: canonicalText) }

  /// All tables, in the order of files.
  public var tables: [NetworkTable] {
    switch self {
    case .network(let network): network.tables
    case .set(let set): [set.table]
    case .dense(let dense): dense.tables
    }
  }

  /// The number of weights in all tables.
  public var weightCount: Int { tables.reduce(0) { $0 + $1.size } }

  /// The number of weights that make up a value, and of rows of the embedding in a dense network.
  public var featureCount: Int {
    switch self {
    case .network(let network): network.featureCount
    case .set(let set): set.featureCount
    case .dense(let dense): dense.network.embedding?.featureCount ?? 0
    }
  }
}

extension DenseModelSpecification {
  var game: GameKind {
    switch features {
    case .tuples: .twentyFortyEight
    case .set: .set
    }
  }

  /// The structure in a few words.
  var title: String {
    let features =
      switch features {
      case .tuples(let network): network.title
      case .set(let rules): "Set of \(rules.cardCount) cards"
      }
    let widths = architecture.hidden.map(String.init).joined(separator: "-")
    return "dense \(architecture.embedding)-\(widths) over \(features)"
  }
}
