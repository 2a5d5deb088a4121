internal import TupeloEngine
internal import TupeloSearch

/// Answers questions about boards and games.
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

  /// The largest number of positions in one review; all of them are answered within seconds.
  static func reviewLimit(for agent: WebAgent) -> Int { agent.isSlow ? 16 : 512 }

  /// Answers `POST /api/review`: how much worse the played moves are than the best ones.
  ///
  /// The body has positions separated by white space: a board and the move played on it.
  func review(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    guard let text = String(validating: request.body, as: UTF8.self) else { throw .notText }
    let words = text.split(whereSeparator: \.isWhitespace)
    let (agent, plies, rules) = try settings(of: request)
    let limit = Self.reviewLimit(for: agent)
    guard words.count <= limit else { throw .tooManyPositions(words.count, limit: limit) }
    var positions: [(board: Board, move: Move)] = []
    for (index, word) in words.enumerated() {
      guard let move = word.last.flatMap(Move.init(letter:)) else {
        throw .badPosition(String(word), number: index + 1)
      }
      do {
        positions.append((try Board(hex: word.dropLast()), move))
      } catch {
        throw .badPosition(String(word), number: index + 1)
      }
    }
    do {
      return .json(
        try await queue.run(.deep) { [positions] asker in
          ReviewAnswer(
            agent: agent.name, plies: plies,
            moves: positions.map { .init($0.move, asker.isGone ? nil : agent.think($0.board, rules, plies).analysis) })
        })
    } catch {
      throw .busy
    }
  }

  /// Answers `POST /api/replay`: a game record, replayed by the engine.
  func replay(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    guard let text = String(validating: request.body, as: UTF8.self) else { throw .notText }
    let result: Result<ReplayAnswer, GameRecordError>
    do {
      result = try await queue.run(.quick) { _ -> Result<ReplayAnswer, GameRecordError> in
        Result { () throws(GameRecordError) in try ReplayAnswer(GameRecord(text: text)) }
      }
    } catch {
      throw .busy
    }
    switch result {
    case .success(let answer): return .json(answer)
    case .failure(let error): throw .badRecord(error)
    }
  }

  /// The agent, plies and rules that a request names, or the defaults.
  func settings(of request: WebRequest) throws(WebProblem) -> (agent: WebAgent, plies: Int, rules: Rules) {
    var agent = agents[0]
    if let name = request.query["agent"] {
      guard let named = agents.first(where: { $0.name == name }) else {
        throw .noAgent(name, known: agents.map(\.name))
      }
      agent = named
    }
    let most = max(agent.maximumPlies, 1)
    var plies = min(self.plies, most)
    if let text = request.query["plies"] {
      guard let number = Int(text), (1...most).contains(number) else {
        throw .badNumber(parameter: "plies", text: text, range: most == 1 ? "1" : "1 to \(most)")
      }
      plies = number
    }
    guard let text = request.query["four"] else { return (agent, plies, .standard) }
    guard let four = Double(text), let rules = try? Rules(fourProbability: four) else {
      throw .badNumber(parameter: "four", text: text, range: "the probability of a 4, 0 to 1")
    }
    return (agent, plies, rules)
  }
}

/// A board, and the agent that is asked about it.
struct Question: Sendable {
  let board: Board
  let agent: WebAgent
  let plies: Int
  /// The time to search in place of the plies, for an agent that can; `nil` for the plies.
  let milliseconds: Int?
  let rules: Rules

  init(_ request: WebRequest, service: WebService) throws(WebProblem) {
    guard let text = request.query["board"] else { throw .missing("board") }
    do {
      board = try Board(text: text)
    } catch {
      throw .badBoard(error)
    }
    (agent, plies, rules) = try service.settings(of: request)
    milliseconds = request.query["plies"] == nil ? service.milliseconds : nil
  }

  func ask(_ queue: SearchQueue) async throws(WebProblem) -> WebAgent.Thought {
    do {
      if let milliseconds, let think = agent.thinkInTime {
        return try await queue.run(.deep) { _ in think(board, rules, milliseconds) }
      }
      return try await queue.run(plies <= 2 && !agent.isSlow ? .quick : .deep) { _ in agent.think(board, rules, plies) }
    } catch {
      throw .busy
    }
  }
}
