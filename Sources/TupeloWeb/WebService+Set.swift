internal import SetEngine
internal import SetPlayers

/// Answers questions about games of Set.
extension WebService {
  /// Answers a request under `/set/`.
  func set(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    switch request.path {
    case "/set/game":
      return .json(SetGameAnswer(request.method == "POST" ? try recorded(request) : try line(request)))
    case "/set/claim": return .json(SetClaimAnswer(try claim(request)))
    default: return try await analyzeSet(request)
    }
  }

  /// The game of a seed and choices.
  private func line(_ request: WebRequest) throws(WebProblem) -> SetLine {
    guard let seed = request.query["seed"] else { throw .missing("seed") }
    let player = request.query["player"] ?? "person"
    guard player.utf8.count <= 200 else {
      throw .badNumber(parameter: "player", text: player, range: "a name of at most 200 bytes")
    }
    var line = SetLine(
      seed: try Self.number(seed, "seed"), number: try Self.number(request.query["game"] ?? "0", "game"),
      player: player)
    let choices = (request.query["choices"] ?? "").split { $0 == "," || $0.isWhitespace }
    guard choices.count <= SetLine.limit else { throw .tooManyChoices(choices.count, limit: SetLine.limit) }
    for choice in choices { try line.make(choice) }
    return line
  }

  /// The game of a record.
  private func recorded(_ request: WebRequest) throws(WebProblem) -> SetLine {
    guard let text = String(validating: request.body, as: UTF8.self) else { throw .notText }
    let (size, limit) = (text.utf8.count, SetLine.recordLimit)
    guard size <= limit else {
      throw .badSetRecord("the record has \(size) bytes: no record of Set has more than \(limit)")
    }
    let record: SetRecord
    do {
      record = try SetRecord(text: text)
    } catch {
      throw .badSetRecord("\(error)")
    }
    guard record.steps.count <= SetLine.limit else {
      throw .tooManyChoices(record.steps.count, limit: SetLine.limit)
    }
    return try SetLine(record)
  }

  private func claim(_ request: WebRequest) throws(WebProblem) -> SetClaim {
    let cards = try Self.cards(request, "cards")
    guard cards.count == 3, let claim = SetClaim(cards[0], cards[1], cards[2]) else {
      throw .badCards(parameter: "cards", reason: "\(cards.count) cards: give three")
    }
    return claim
  }

  private func analyzeSet(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    var agent = setAgents[0]
    if let name = request.query["agent"] {
      guard let named = setAgents.first(where: { $0.name == name }) else {
        throw .noAgent(name, known: setAgents.map(\.name))
      }
      agent = named
    }
    let (table, unseen) = (try Self.cards(request, "table"), try Self.cards(request, "unseen"))
    let position: SetPosition
    do {
      position = try SetPosition(table: CardSet(table), unseen: CardSet(unseen))
    } catch {
      throw .badCards(parameter: "table", reason: "\(error)")
    }
    do {
      return .json(
        try await queue.run(agent.isSlow ? .deep : .quick) { [agent] _ in
          SetAnalysisAnswer(position, agent, agent.think(position))
        })
    } catch {
      throw .busy
    }
  }

  private static func cards(_ request: WebRequest, _ parameter: String) throws(WebProblem) -> [Card] {
    guard let text = request.query[parameter] else { throw .missing(parameter) }
    do {
      return try Card.list(text)
    } catch {
      throw .badCards(parameter: parameter, reason: "\(error)")
    }
  }

  private static func number(_ text: String, _ parameter: String) throws(WebProblem) -> UInt64 {
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt64(text) else {
      throw .badNumber(parameter: parameter, text: text, range: "a whole number, 0 to \(UInt64.max)")
    }
    return number
  }
}
