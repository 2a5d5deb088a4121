public import Safetensors
public import TupeloEngine
public import TupeloNetwork
public import TupeloSearch
internal import TupeloTables

extension NetworkSpecification: ModelStructure {
  public var game: GameKind { .twentyFortyEight }

  public func model(in file: SafetensorsFile) throws -> any GameModel { try NTupleNetwork(self, in: file) }
}

extension ModelDescription {
  public static func network(_ specification: NetworkSpecification) -> ModelDescription {
    ModelDescription(specification)
  }
}

/// N-tuple networks as a kind of model.
struct TupleKind: ModelKind {
  var mergesReplicas: Bool { true }

  func structure(canonicalText text: String) throws -> (any ModelStructure)? {
    try NetworkSpecification.isNamed(by: text) ? NetworkSpecification(canonicalText: text) : nil
  }

  func structure(
    _ rules: GameRules, _ network: NetworkSpecification, _ architecture: DenseArchitecture
  ) -> any ModelStructure { network }
}

extension NTupleNetwork: BoardModel {
  public func contender(rules: GameRules, plies: Int) -> Contender { expectimax(rules: rules, plies: plies) }

  public var structure: any ModelStructure { specification }
  public var shape: BoardShape { specification.shape }

  public var identity: String {
    var hash = WeightHash()
    add(to: &hash)
    return hash.text
  }

  public func makeAgent(
    _ specification: AgentSpecification, rules: Rules, seed: UInt64
  ) throws(SearchTableError) -> AnyAgent {
    try specification.makeAgent(model: self, rules: rules, seed: seed)
  }
}
