internal import SetAgents
internal import SetEngine

/// Answers requests about Set that a page cannot answer by itself.
extension WebService {
  /// Answers `GET /set/analyze?table=&unseen=`: every Set on a table, and which one an agent takes.
  func analyzeSet(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    var agent = setAgents[0]
    if let name = request.query["agent"] {
      guard let named = setAgents.first(where: { $0.name == name }) else {
        throw .noAgent(name, known: setAgents.map(\.name))
      }
      agent = named
    }
    let position = try Self.position(request)
    do {
      return .json(
        try await queue.run(agent.isSlow ? .long : .quick) { [agent] in
          SetAnalysisAnswer(SetChoices(position, agent))
        })
    } catch {
      throw .busy
    }
  }

  private static func position(_ request: WebRequest) throws(WebProblem) -> SetPosition {
    let (table, unseen) = (try cards("table", request), try cards("unseen", request))
    do {
      return try SetPosition(table: table, unseen: unseen)
    } catch {
      throw .badCards(parameter: "table", reason: error.description)
    }
  }

  private static func cards(_ name: String, _ request: WebRequest) throws(WebProblem) -> CardSet {
    guard let text = request.query[name] else { throw .missing(name) }
    do {
      return CardSet(try Card.list(text))
    } catch {
      throw .badCards(parameter: name, reason: error.description)
    }
  }
}
