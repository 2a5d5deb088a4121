public import TupeloModels
public import TupeloNetwork
public import TupeloTables

/// The features of a game's positions, which are the input of a dense network.
public protocol DenseFeatures: Sendable {
  associatedtype Encoder: DenseEncoder

  var game: GameKind { get }
  /// The number of rows of the embedding.
  var rowCount: Int { get }
  /// The group of each feature of a position.
  var groups: [Int] { get }
  /// The row for unused features; `nil` if a position always has all features.
  var paddingIndex: Int? { get }
  /// The unit of the network's output, with which values are numbers of at most a few tens.
  var standardUnit: Int { get }
  /// The features in one line of text.
  var canonicalText: String { get }
  /// The features in a few words.
  var title: String { get }

  func makeEncoder() -> Encoder

  /// Reads `canonicalText` back; `nil` for the features of another game.
  ///
  /// - Throws: an error whose text says what is wrong.
  init?(canonicalText text: String) throws
  /// The features of a run.
  init(_ rules: GameRules, _ network: NetworkSpecification)
}

/// An encoder that writes `DenseFeatures`, and makes the player of a network over them.
public protocol DenseEncoder: FeatureEncoder {
  associatedtype Features: DenseFeatures where Features.Encoder == Self

  /// The player that measures a model.
  static func contender(_ model: DenseModel<Self>, rules: GameRules, plies: Int) -> Contender
}

extension DenseModelSpecification {
  /// Features of any game.
  public struct Features: Sendable {
    public let base: any DenseFeatures

    public init(_ base: some DenseFeatures) { self.base = base }

    init?(canonicalText text: String, of kinds: [any DenseFeatures.Type]) throws {
      for kind in kinds {
        guard let features = try kind.init(canonicalText: text) else { continue }
        base = features
        return
      }
      return nil
    }
  }
}

/// Dense networks over the features of a game.
public struct DenseKind: ModelKind {
  private let features: any DenseFeatures.Type

  public init(_ features: any DenseFeatures.Type) { self.features = features }

  public func structure(canonicalText text: String) throws -> (any ModelStructure)? {
    try DenseModelSpecification(canonicalText: text, of: [features])
  }

  /// - Throws: `DenseError` for widths that are out of range.
  public func structure(
    _ rules: GameRules, _ network: NetworkSpecification, _ architecture: DenseArchitecture
  ) throws -> any ModelStructure {
    try DenseModelSpecification(.init(features.init(rules, network)), architecture)
  }
}
