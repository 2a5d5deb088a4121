public import SetAgents
public import SetEngine
public import TupeloDense
public import TupeloModels
public import TupeloNetwork
internal import TupeloTables
package import TupeloTraining

/// The features of remaining cards and Sets, by their degrees; see `SetEmbeddingEncoder`.
public struct SetFeatures: DenseFeatures {
  public let rules: SetRules

  public init(_ rules: SetRules) { self.rules = rules }

  public var game: GameKind { .set }
  public var rowCount: Int { makeEncoder().layout.weightCount }
  public var groups: [Int] { makeEncoder().groups }
  public var paddingIndex: Int? { SetEmbeddingEncoder.paddingIndex }
  public var standardUnit: Int { 1 }
  public var canonicalText: String { SetSpecification(rules).canonicalText }
  public var title: String { "Set of \(rules.cardCount) cards" }

  public func makeEncoder() -> SetEmbeddingEncoder { SetEmbeddingEncoder(rules) }

  public init?(canonicalText text: String) throws {
    guard let set = try SetSpecification(canonicalText: text) else { return nil }
    rules = set.rules
  }

  public init(_ rules: GameRules, _ network: NetworkSpecification) {
    guard let rules = rules.base as? SetRules else { preconditionFailure("\(rules) are not rules of Set") }
    self.rules = rules
  }
}

extension SetEmbeddingEncoder: DenseEncoder {
  public typealias Features = SetFeatures

  public static func contender(_ model: DenseSetModel, rules: GameRules, plies: Int) -> Contender {
    model.greedy(rules: rules)
  }
}

extension DenseModelSpecification.Features {
  /// The features of remaining cards and Sets.
  public static func set(_ rules: SetRules) -> Self { Self(SetFeatures(rules)) }
}

/// A dense value network of Set. With an empty deck the value is exact, computed by search.
public typealias DenseSetModel = DenseModel<SetEmbeddingEncoder>

extension DenseModel: SetEvaluator where Encoder == SetEmbeddingEncoder {
  public func value(of afterstate: SetAfterstate) -> Float {
    afterstate.unseen.isEmpty ? Float(afterstate.table.mostSets) : value(ofState: afterstate)
  }

  public func evaluate(_ afterstates: Span<SetAfterstate>, into values: inout MutableSpan<Float>) {
    evaluateStates(afterstates, into: &values)
    for index in afterstates.indices where afterstates[index].unseen.isEmpty {
      values[index] = Float(afterstates[index].table.mostSets)
    }
  }
}

extension DenseModel: SetModel where Encoder == SetEmbeddingEncoder {
  public var rules: SetRules { encoder.rules }
}

extension SetFeatures: TrainableFeatures {
  package var choiceLimit: Int { SetSelfPlay.choiceLimit }

  package func makeTraining(_ specification: DenseModelSpecification, _ run: RunInput) throws -> any TrainingState {
    try specification.makeTraining(run, SetSelfPlay(rules), makeEncoder()).state
  }
}
