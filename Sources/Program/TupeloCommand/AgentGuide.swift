/// What `tupelo help agents` prints.
enum AgentGuide {
  /// The word after `tupelo help`.
  static let topic = "agents"

  static let text = """
    An agent is a name, or a name and its settings in parentheses. It is given to
    --agent of evaluate, probe, autoplay, analyze, advise and review, and to arena:
      tupelo evaluate --agent "expectimax(plies: 2, cutoff: 0.001)"
      tupelo arena greedy "runs/quickstart@expectimax(plies: 2)"

    \(CommandGames.all.map(\.agentGuide).joined(separator: "\n\n"))
    """
}
