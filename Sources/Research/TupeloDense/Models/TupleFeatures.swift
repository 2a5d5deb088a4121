internal import TupeloEngine
public import TupeloModels
public import TupeloNetwork

/// The table entries that n-tuples look up. Each entry has a row of the embedding.
public struct TupleFeatures: DenseFeatures {
  public let network: NetworkSpecification

  public init(_ network: NetworkSpecification) { self.network = network }

  public var game: GameKind { .twentyFortyEight }
  public var rowCount: Int { network.weightCount }
  public var groups: [Int] {
    EmbeddingShape.consecutiveGroups(featureCount: network.featureCount, size: network.boardsPerPattern)
  }
  public var paddingIndex: Int? { nil }
  /// Scores double with each cell of a board.
  public var standardUnit: Int { 1 << (network.shape.cellCount - 2) }
  public var canonicalText: String { network.canonicalText }
  public var title: String { network.title }

  public func makeEncoder() -> TupleIndexer { TupleIndexer(network) }

  public init?(canonicalText text: String) throws {
    guard NetworkSpecification.isNamed(by: text) else { return nil }
    network = try NetworkSpecification(canonicalText: text)
    guard network.stages.count == 1 else { throw DenseModelError.unknown(text) }
  }

  public init(_ rules: GameRules, _ network: NetworkSpecification) { self.network = network }
}

extension GameKind {
  /// 2048 with n-tuple networks and dense networks.
  public static let denseTwentyFortyEight = twentyFortyEight.with(dense: DenseKind(TupleFeatures.self))
}

extension TupleIndexer: DenseEncoder {
  public typealias Features = TupleFeatures

  public static func contender(_ model: DenseBoardModel, rules: GameRules, plies: Int) -> Contender {
    model.expectimax(rules: rules, plies: plies)
  }
}

extension DenseModelSpecification.Features {
  /// The entries that n-tuples look up. The network has one stage.
  public static func tuples(_ network: NetworkSpecification) -> Self { Self(TupleFeatures(network)) }
}
