public import TupeloEngine
public import TupeloNetwork
public import TupeloSearch

/// A model of 2048 for play, of any kind that can be trained.
public protocol BoardModel: GameModel, Evaluator {
  /// The shape of the board that the model plays on.
  var shape: BoardShape { get }

  /// Makes an agent that plays with the model. Each kind of model passes itself to
  /// `AgentSpecification.makeAgent(model:)`: there the type of the network is known, so the compiler specialises the
  /// search for it.
  ///
  /// - Throws: `SearchTableError` when there is no memory for the agent's table.
  func makeAgent(_ specification: AgentSpecification, rules: Rules, seed: UInt64) throws(SearchTableError) -> AnyAgent
}

extension BoardModel {
  /// Makes an agent that plays with the model.
  ///
  /// - Throws: `SearchTableError` when there is no memory for the agent's table.
  public func makeAgent(
    _ specification: AgentSpecification, rules: Rules = .standard
  ) throws(SearchTableError) -> AnyAgent {
    try makeAgent(specification, rules: rules, seed: 0)
  }

  /// The model in expectimax.
  package func expectimax(rules: GameRules, plies: Int) -> Contender {
    guard let rules = rules.base as? Rules else { preconditionFailure("\(rules) are not rules of 2048") }
    let agent = AgentSpecification.expectimax(plies: plies)
    return Contender(name: "\(agent)") { BoardPlayer(try makeAgent(agent, rules: rules), rules: rules) }
  }

  /// The n-tuple network.
  ///
  /// - Parameter path: the path of the model, for errors
  /// - Throws: `TrainedModelError.dense`.
  public func patterns(path: String) throws -> NTupleNetwork {
    guard let network = self as? NTupleNetwork else { throw TrainedModelError.dense(path: path) }
    return network
  }
}
