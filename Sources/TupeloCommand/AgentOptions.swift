internal import ArgumentParser
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

/// Options that choose the agent: a full specification, or just the plies of expectimax.
struct AgentOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Who plays: random, greedy, expectimax(plies: 3), expectimax(milliseconds: 10), minimax(plies: 2), "
        + "montecarlo(rollouts: 200), ...",
      valueName: "agent"))
  var agent: String?

  @Option(name: .long, help: "Plies to search: 1 is greedy. Short for --agent 'expectimax(plies: N)'.")
  var plies: Int?

  func validate() throws {
    if agent != nil, plies != nil {
      throw ValidationError("--agent and --plies both say how to play: give one of them")
    }
    if let plies, !(1...8).contains(plies) { throw ValidationError("--plies is \(plies): give 1 to 8") }
    _ = try specification()
  }

  /// - Parameter plies: the plies when no option is given.
  func specification(plies standard: Int = 1) throws -> AgentSpecification {
    guard let agent else { return .expectimax(plies: plies ?? standard) }
    return try Self.specification(agent, option: "--agent")
  }

  static func specification(_ text: String, option: String) throws -> AgentSpecification {
    do {
      return try AgentSpecification(text: text)
    } catch {
      throw ValidationError("\(option): \(error)")
    }
  }
}
