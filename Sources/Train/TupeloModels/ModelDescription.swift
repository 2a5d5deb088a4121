public import Safetensors
public import TupeloNetwork

/// The structure of a model of one kind, read from its file, and the function that reads the model.
public protocol ModelStructure: Sendable {
  var game: GameKind { get }
  /// The structure in one line, the same for equal models.
  var canonicalText: String { get }
  /// The structure in a few words.
  var title: String { get }
  /// All tables, in the order of files.
  var tables: [NetworkTable] { get }
  /// The number of weights that make up a value, and of rows of the embedding in a dense network.
  var featureCount: Int { get }

  /// Reads a model of this structure for play.
  ///
  /// - Throws: `SafetensorsError`, `ModelFileError` or `CompactModelError`, whose text is one line that names the file;
  ///   the errors of its weights when they do not fit into memory.
  func model(in file: SafetensorsFile) throws -> any GameModel
}

/// A kind of model of a game: tables, or a dense network.
public protocol ModelKind: Sendable {
  /// Whether replicas of a model can learn on their own and be merged. They cannot where training keeps something
  /// beside the weights that has no mean, such as an optimizer's state. False where a kind does not say it.
  var mergesReplicas: Bool { get }

  /// Reads `ModelStructure.canonicalText` back, which is the network's line in a file.
  ///
  /// - Returns: `nil` for the text of another kind or game.
  /// - Throws: an error whose text says what is wrong with the line.
  func structure(canonicalText text: String) throws -> (any ModelStructure)?

  /// The structure that a run trains.
  ///
  /// - Parameters:
  ///   - rules: rules of the kind's game
  ///   - network: the n-tuples, for 2048
  ///   - architecture: the layers, for dense networks
  /// - Throws: an error whose text says what is impossible.
  func structure(
    _ rules: GameRules, _ network: NetworkSpecification, _ architecture: DenseArchitecture
  ) throws -> any ModelStructure
}

extension ModelKind {
  public var mergesReplicas: Bool { false }
}

/// The structure of a model of any kind and game.
public struct ModelDescription: Sendable {
  /// The structure, in the type of its kind.
  public let structure: any ModelStructure

  public init(_ structure: some ModelStructure) { self.structure = structure }

  /// Reads the header of a model file or checkpoint.
  ///
  /// - Parameter catalogue: the games that the model may belong to
  /// - Throws: `ModelFileError`.
  public init(in file: SafetensorsFile, of catalogue: GameCatalogue = .standard) throws(ModelFileError) {
    structure = try catalogue.structure(in: file)
  }

  public var game: GameKind { structure.game }

  /// The n-tuple network; `nil` for another kind of network.
  public var patterns: NetworkSpecification? { structure as? NetworkSpecification }

  /// The structure in one line, the same for equal models.
  public var canonicalText: String { structure.canonicalText }

  /// The structure in a few words; see `NetworkSpecification.title`.
  package var title: String { structure.title }

  /// The fingerprint: 16 hex digits that identify the structure.
  public var fingerprint: String { ModelFile.fingerprint(of: canonicalText) }

  /// All tables, in the order of files.
  public var tables: [NetworkTable] { structure.tables }

  /// The number of weights in all tables.
  public var weightCount: Int { tables.reduce(0) { $0 + $1.size } }

  /// The number of weights that make up a value, and of rows of the embedding in a dense network.
  public var featureCount: Int { structure.featureCount }
}

extension ModelDescription: Hashable {
  public static func == (a: ModelDescription, b: ModelDescription) -> Bool { a.canonicalText == b.canonicalText }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonicalText) }
}

/// The architecture of a dense value network, apart from its features.
public struct DenseArchitecture: Hashable, Sendable {
  /// The sums over the rows of a position's features.
  public enum Sums: String, CaseIterable, Sendable {
    /// A sum for each group of features. For n-tuples a group is a pattern, over its symmetric boards. For Set there
    /// are three groups: cards, Sets and the phase.
    case groups
    /// One sum of all rows, with a rectifier: a hidden layer over one-hot features.
    case all
  }

  /// The widths of the hidden layers; empty for a model without a dense network.
  public var hidden: [Int] = []
  /// The number of numbers in a row of the embedding, without its linear weight.
  public var embedding = 15
  /// Whether each row also has a number that is added directly to the value.
  public var linear = true
  public var sums = Sums.groups

  public init() {}

  /// Whether the model has a dense network.
  public var isDense: Bool { !hidden.isEmpty }
}
