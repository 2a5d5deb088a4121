public import Safetensors
public import SetAgents
public import SetEngine
public import TupeloModels
public import TupeloNetwork

extension SetSpecification: ModelStructure {
  public var game: GameKind { .set }
  public var title: String { canonicalText }
  public var tables: [NetworkTable] { [table] }

  public func model(in file: SafetensorsFile) throws -> any GameModel { try SetNetwork(self, in: file) }
}

/// Tables of Set.
struct SetTableKind: ModelKind {
  func structure(canonicalText text: String) throws -> (any ModelStructure)? {
    try SetSpecification(canonicalText: text)
  }

  func structure(
    _ rules: GameRules, _ network: NetworkSpecification, _ architecture: DenseArchitecture
  ) -> any ModelStructure {
    guard let rules = rules.base as? SetRules else { preconditionFailure("\(rules) are not rules of Set") }
    return SetSpecification(rules)
  }
}

extension SetNetwork: SetModel {
  public func contender(rules: GameRules, plies: Int) -> Contender { greedy(rules: rules) }

  public var structure: any ModelStructure { specification }
  public var rules: SetRules { specification.rules }
}
