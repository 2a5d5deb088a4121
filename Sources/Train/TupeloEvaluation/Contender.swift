internal import SetAgents
internal import TupeloConfiguration
package import TupeloModels
internal import TupeloSearch

/// A trained model with the agent that a run evaluates it by.
package struct Contender: Sendable {
  /// The agent's specification.
  package let name: String
  /// Makes a player; each thread has its own.
  package let makePlayer: @Sendable () -> any GamePlayer
}

extension RunConfiguration {
  /// Plays by a model of this configuration's game: expectimax to `evaluation.plies` in 2048, greedily in Set.
  package func contender(_ model: TrainedModel) -> Contender {
    switch model {
    case .board(let board):
      let (agent, rules) = (AgentSpecification.expectimax(plies: evaluation.plies), rules)
      return Contender(name: "\(agent)") { BoardPlayer(board.makeAgent(agent, rules: rules), rules: rules) }
    case .set(let model):
      let rules = set
      return Contender(name: "greedy") {
        switch model {
        case .table(let network): SetPlayer(EndgamePlayer(GreedySetPlayer(network)), rules: rules)
        case .dense(let network): SetPlayer(EndgamePlayer(GreedySetPlayer(network)), rules: rules)
        }
      }
    }
  }
}
