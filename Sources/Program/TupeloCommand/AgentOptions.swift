internal import ArgumentParser
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

/// Options that choose the agent: a full specification, or only the plies of expectimax.
struct AgentOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The agent that plays, such as greedy, expectimax(plies: 3) or montecarlo(rollouts: 200). All agents: "
        + "tupelo help \(AgentGuide.topic).",
      valueName: "agent"),
    completion: .agents)
  var agent: String?

  @Option(name: .long, help: "Plies to search, 1 to 8: 1 is greedy. Short for --agent 'expectimax(plies: N)'.")
  var plies: Int?

  init() {}

  init(plies: Int?) { (agent, self.plies) = (nil, plies) }

  func validate() throws {
    if agent != nil, plies != nil {
      throw CommandEnd.wrong("--agent and --plies both say how to play: give one of them")
    }
    if let plies { try Self.check(plies: plies) }
    try named.validate()
  }

  /// The agent for a command that plays any game.
  var named: NamedPlayer {
    if let plies { return NamedPlayer(text: "\(AgentSpecification.expectimax(plies: plies))", option: "--plies") }
    return NamedPlayer(text: agent, option: "--agent")
  }

  /// - Throws: `CommandEnd.wrong` for a value of `--plies` that no search has.
  static func check(plies: Int) throws {
    let range = AgentSpecification.pliesRange
    guard range.contains(plies) else {
      throw CommandEnd.wrong("--plies is \(plies): give \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// - Parameter plies: the plies when no option is given.
  func specification(plies standard: Int = 1) throws -> AgentSpecification {
    named.text == nil ? .expectimax(plies: standard) : try AgentSpecification(named)
  }

  /// The time for a move that feels instant to a person.
  static let instantMilliseconds = 20

  /// The player of a command that shows moves to a person. Without an option, a model searches for
  /// `instantMilliseconds` per move.
  ///
  /// - Parameters:
  ///   - path: the model, if one is named
  ///   - plies: the plies of the heuristic when there is neither an option nor a model
  func instantContestant(path: String?, heuristicPlies plies: Int) throws -> Contestant<AgentSpecification> {
    guard agent == nil, self.plies == nil else { return try Contestant(specification(), path: path) }
    let search = AgentSpecification(.expectimax(.init(milliseconds: Self.instantMilliseconds)))
    let contestant = try Contestant(search, path: path)
    return contestant.model == nil ? try Contestant(.expectimax(plies: plies), path: path) : contestant
  }
}

/// The text of `tupelo help agents`.
enum AgentGuide {
  /// The word after `tupelo help`.
  static let topic = "agents"

  static let text = """
    An agent chooses the moves of a player. It is a name, or a name with settings
    in parentheses. Commands such as evaluate, autoplay, analyze and review take an
    agent with --agent, and arena takes several agents:
      tupelo evaluate --agent "expectimax(plies: 3, cutoff: 0.001)"
      tupelo arena greedy "models/small@expectimax(plies: 2)"

    \(CommandGames.all.map { $0.guide }.joined(separator: "\n\n"))
    """
}
