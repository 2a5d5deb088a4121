internal import ArgumentParser
internal import SetAgents
internal import SetModels
internal import TupeloRuns
internal import TupeloSearch
internal import TupeloTraining

/// An agent as named on the command line, before it is known which game it plays.
struct NamedAgent {
  /// The agent's text; `nil` for the agent that plays when none is named.
  let text: String?
  /// Where the text stands, such as `--agent`.
  let option: String

  /// Whether the game has such an agent.
  func isKnown(in game: GameKind) -> Bool {
    do {
      if game == .set { _ = try setSpecification() } else { _ = try boardSpecification() }
      return true
    } catch {
      return false
    }
  }

  /// The agent of 2048; greedy expectimax when none is named.
  ///
  /// - Throws: `ValidationError`.
  func boardSpecification() throws -> AgentSpecification {
    guard let text else { return .expectimax(plies: 1) }
    return try AgentOptions.specification(text, option: option)
  }

  /// The agent of Set; greedy when none is named.
  ///
  /// - Throws: `ValidationError`.
  func setSpecification() throws -> SetAgentSpecification {
    guard let text else { return SetAgentSpecification(.greedy) }
    do {
      return try SetAgentSpecification(text: text)
    } catch {
      throw ValidationError("\(option): for Set: \(error) (tupelo help \(AgentGuide.topic))")
    }
  }

  /// - Throws: `ValidationError` for an agent that no game has. Its text is about 2048, unless only Set has the name.
  func validate() throws {
    guard let text, !GameCatalogue.program.games.contains(where: isKnown) else { return }
    let name = text.prefix { $0 != "(" }.filter { !$0.isWhitespace }
    if AgentName(rawValue: name) == nil, SetAgentName(rawValue: name) != nil {
      _ = try setSpecification()
    } else {
      _ = try boardSpecification()
    }
  }
}
