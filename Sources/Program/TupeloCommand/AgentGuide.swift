/// The text of `tupelo help agents`.
enum AgentGuide {
  /// The word after `tupelo help`.
  static let topic = "agents"

  static let text = """
    An agent chooses the moves of a player. It is a name, or a name with settings
    in parentheses. Commands such as evaluate, autoplay, analyze and review take an
    agent with --agent, and arena takes several agents:
      tupelo evaluate --agent "expectimax(plies: 2, cutoff: 0.001)"
      tupelo arena greedy "models/small@expectimax(plies: 2)"

    \(CommandGames.all.map(\.agentGuide).joined(separator: "\n\n"))
    """
}
