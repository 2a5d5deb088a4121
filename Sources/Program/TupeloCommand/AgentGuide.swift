internal import SetAgents
internal import TupeloSearch

/// What `tupelo help agents` prints.
enum AgentGuide {
  /// The word after `tupelo help`.
  static let topic = "agents"

  static let text = """
    An agent is a name, or a name and its settings in parentheses. It is given to
    --agent of evaluate, probe, autoplay, analyze, advise and review, and to arena:
      tupelo evaluate --agent "expectimax(plies: 2, cutoff: 0.001)"
      tupelo arena greedy "runs/quickstart@expectimax(plies: 2)"

    \(AgentSpecification.reference)

    Where none is named, play, autoplay, advise and serve search for \(AgentOptions.instantMilliseconds) ms a
    move by a model of 2048, evaluate and analyze take expectimax(plies: 1), and
    review takes expectimax(plies: 2).

    In Set (--game set, or a model of Set) there are other agents:
      tupelo evaluate --game set --agent "search(count: 20)"
      tupelo arena counting "runs/set-td@greedy"

    \(SetAgentSpecification.reference)
    """
}
