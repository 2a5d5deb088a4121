internal import TupeloEngine
internal import TupeloSearch

/// Answers requests about boards.
extension WebService {
  /// Answers `GET /move?board=`: one letter, `g` when the game is over. This is the protocol of existing 2048 pages and
  /// their move servers.
  func move(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    let question = try Question(request, service: self)
    let thought = try await question.ask(queue)
    return .text(thought.move.map { String($0.letter) } ?? "g")
  }

  /// Answers `GET /analyze?board=`: all four moves.
  func analyze(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    let question = try Question(request, service: self)
    let thought = try await question.ask(queue)
    return .json(AnalysisAnswer(question, thought))
  }

  /// The agent, its settings and the rules that a request names, or the defaults.
  func settings(of request: WebRequest) throws(WebProblem) -> (WebAgent, WebAgent.Settings, Rules) {
    var agent = agents[0]
    if let name = request.query["agent"] {
      guard let named = agents.first(where: { $0.name == name }) else {
        throw .noAgent(name, known: agents.map(\.name))
      }
      agent = named
    }
    let milliseconds = try Self.number("milliseconds", of: request, for: agent, most: agent.maximumMilliseconds)
    let rollouts = try Self.number("rollouts", of: request, for: agent, most: agent.maximumRollouts)
    // A time limits the search at any depth.
    let deepest = AgentSpecification.pliesRange.upperBound
    let most = milliseconds == nil ? max(agent.maximumPlies, 1) : deepest
    let plies = try Self.number("plies", of: request, for: agent, most: most)
    let settings = WebAgent.Settings(
      plies: plies ?? (milliseconds == nil ? min(self.plies, most) : deepest),
      evaluator: try Self.evaluator(of: request, for: agent), rollouts: rollouts, milliseconds: milliseconds)
    guard let text = request.query["four"] else { return (agent, settings, .standard) }
    guard let four = Double(text), let rules = try? Rules(fourProbability: four) else {
      throw .badNumber(parameter: "four", text: text, range: "the probability of a 4, 0 to 1")
    }
    return (agent, settings, rules)
  }

  /// A whole number of a request from 1 to `most`; `nil` when it is left out. An agent that has no such setting (`most`
  /// is 0) takes none.
  private static func number(_ name: String, of request: WebRequest, for agent: WebAgent, most: Int)
    throws(WebProblem) -> Int?
  {
    guard let text = request.query[name] else { return nil }
    guard most > 0 else { throw .noSetting(name, agent: agent.name) }
    guard let number = Int(text), (1...most).contains(number) else {
      throw .badNumber(parameter: name, text: text, range: most == 1 ? "1" : "1 to \(most)")
    }
    return number
  }

  private static func evaluator(of request: WebRequest, for agent: WebAgent) throws(WebProblem) -> String? {
    guard let name = request.query["evaluator"] else { return nil }
    guard !agent.evaluators.isEmpty else { throw .noSetting("evaluator", agent: agent.name) }
    guard agent.evaluators.contains(where: { $0.name == name }) else {
      throw .noEvaluator(name, known: agent.evaluators.map(\.name))
    }
    return name
  }
}

/// A board, and the agent that answers.
struct Question: Sendable {
  let board: Board
  let agent: WebAgent
  let settings: WebAgent.Settings
  let rules: Rules

  init(_ request: WebRequest, service: WebService) throws(WebProblem) {
    guard let text = request.query["board"] else { throw .missing("board") }
    do {
      board = try Board(text: text)
    } catch {
      throw .badBoard(error)
    }
    var settings: WebAgent.Settings
    (agent, settings, rules) = try service.settings(of: request)
    if agent.usesModel, agent.maximumMilliseconds > 0, request.query["plies"] == nil, settings.milliseconds == nil {
      settings.milliseconds = service.milliseconds
    }
    // A time bounds the search, whatever its depth.
    if settings.milliseconds != nil, request.query["plies"] == nil {
      settings.plies = AgentSpecification.pliesRange.upperBound
    }
    self.settings = settings
  }

  func ask(_ queue: SearchQueue) async throws(WebProblem) -> WebAgent.Thought {
    do {
      return try await queue.run(agent.lane(settings)) { Result { try agent.think(board, rules, settings) } }.get()
    } catch {
      // A search without memory for its table is refused like one too many.
      throw .busy
    }
  }
}
