internal import SetEngine
internal import SetPlayers

/// Answers questions about games of Set.
extension WebService {
  /// Answers a request under `/set/`.
  func set(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    switch request.path {
    case "/set/game":
      return .json(SetGameAnswer(request.method == "POST" ? try recorded(request) : try line(request)))
    case "/set/claim":
      let cards = try Self.parameter("cards", request)
      return .json(SetClaimAnswer(try Self.refusing { () throws(SetProblem) in try SetClaim(text: cards) }))
    default: return try await analyzeSet(request)
    }
  }

  /// The game of a seed and choices.
  private func line(_ request: WebRequest) throws(WebProblem) -> SetLine {
    let (seed, query) = (try Self.parameter("seed", request), request.query)
    return try Self.refusing { () throws(SetProblem) in
      try SetLine(
        seed: seed, number: query["game"] ?? "0", player: query["player"] ?? "person", choices: query["choices"] ?? "")
    }
  }

  /// The game of a record.
  private func recorded(_ request: WebRequest) throws(WebProblem) -> SetLine {
    guard let text = String(validating: request.body, as: UTF8.self) else { throw .notText }
    return try Self.refusing { () throws(SetProblem) in try SetLine(record: text) }
  }

  private func analyzeSet(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    let name = request.query["agent"]
    let agent = try Self.refusing { [setAgents] () throws(SetProblem) in try SetWebAgent.named(name, of: setAgents) }
    let (table, unseen) = (try Self.parameter("table", request), try Self.parameter("unseen", request))
    let position = try Self.refusing { () throws(SetProblem) in try SetPosition(table: table, unseen: unseen) }
    do {
      return .json(
        try await queue.run(agent.isSlow ? .long : .quick) { [agent] in
          SetAnalysisAnswer(SetChoices(position, agent))
        })
    } catch {
      throw .busy
    }
  }

  private static func parameter(_ name: String, _ request: WebRequest) throws(WebProblem) -> String {
    guard let text = request.query[name] else { throw .missing(name) }
    return text
  }

  private static func refusing<Result>(_ body: () throws(SetProblem) -> Result) throws(WebProblem) -> Result {
    do {
      return try body()
    } catch {
      throw .set(error)
    }
  }
}
