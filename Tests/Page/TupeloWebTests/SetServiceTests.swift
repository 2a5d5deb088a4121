import Foundation
import SetAgents
import SetEngine
import Testing
import TupeloEngine
import TupeloWeb

/// Values a table by its cards: cheap, and different for different cards.
private struct StubSetEvaluator: SetEvaluator {
  func value(of afterstate: SetAfterstate) -> Float {
    afterstate.table.reduce(0) { $0 + Float($1.index * $1.index) } / 4096
  }
}

/// Agents of Set that only the server may have.
@Suite struct SetServiceTests {
  private static func reply(
    _ position: SetPosition, agent: String? = nil, service: WebService = .stub()
  ) async throws -> SetAnalysisReply {
    let (table, unseen) = (position.table.map(\.notation), position.unseen.map(\.notation))
    let name = agent.map { "&agent=\($0)" } ?? ""
    let response = try await service.get(
      "/set/analyze?table=\(table.shuffled().joined(separator: ","))&unseen=\(unseen.joined(separator: ","))\(name)")
    #expect(response.status == 200, "\(response.text)")
    return try JSONDecoder().decode(SetAnalysisReply.self, from: Data(response.body))
  }

  /// A position of a game, after two times `number` choices.
  private static func position(_ number: Int) throws -> SetPosition {
    let deals = DealModel()
    var random = RandomStream(seed: 12, stream: UInt64(number))
    var position = deals.position(after: SetAfterstate(startOf: .standard), using: &random)
    for _ in 0..<(number * 2) {
      let trio = try #require(position.table.hint)
      let afterstate = try #require(position.afterstate(of: trio))
      position = deals.position(after: afterstate, using: &random)
    }
    return position
  }

  /// Equal requests get equal values, which come from at least 16 rollouts each.
  @Test func searchIsTheSameEachTime() async throws {
    let position = try Self.position(2)
    let (one, two) = (try await Self.reply(position), try await Self.reply(position, agent: "search"))
    #expect(one.agent == "search" && one.choices.map(\.value) == two.choices.map(\.value) && one.choices.count > 1)
    #expect(one.choices.allSatisfy { $0.rollouts.map { $0 >= 16 } == true })
    #expect(Set(one.choices.map(\.cards)).count == position.table.setCount && one.best == one.choices.first?.cards)
  }

  @Test func searchPlaysExactlyNearTheEnd() async throws {
    let position = SetPosition(uncheckedTable: CardSet(firstCards: 9), unseen: CardSet())
    let reply = try await Self.reply(position)
    #expect(reply.choices.count == 12 && reply.exact && !reply.over)
    #expect(reply.choices.allSatisfy { $0.value == 3 && $0.difference == 0 && $0.rollouts == nil })
    let over = try await Self.reply(SetPosition(uncheckedTable: CardSet(), unseen: CardSet()))
    #expect(over.over && over.best == nil && over.choices.isEmpty)
  }

  @Test func aModelComesFirst() async throws {
    let service = WebService(
      agents: [.random], setAgents: SetWebAgent.offered(model: StubSetEvaluator(), title: "Stub"))
    #expect(service.setAgents.map(\.name) == ["network", "search"])
    #expect(service.setAgents.allSatisfy { $0.usesModel && $0.criterion == .value })
    #expect(service.setAgents.map(\.title) == ["Network Stub", "Search by Stub"])
    let position = try Self.position(3)
    let reply = try await Self.reply(position, service: service)
    #expect(reply.agent == "network")
    for choice in reply.choices {
      let cards = try Card.list(choice.cards.joined(separator: " "))
      let trio = try #require(Trio(cards[0], cards[1], cards[2]))
      let afterstate = try #require(position.afterstate(of: trio))
      #expect(choice.value == 1 + Double(StubSetEvaluator().value(of: afterstate)))
    }
    #expect(SetWebAgent.offered.map(\.name) == ["search"] && SetWebAgent.offered.allSatisfy { !$0.usesModel })
  }

  /// The page loads the model of Set from the server, whose state says that there is one.
  @Test func thePageGetsTheModel() async throws {
    let model = PageModel(agent: "network", file: Array("weights".utf8))
    let service = WebService(agents: [.random], setPageModel: model)
    #expect(try await service.get("/set.safetensors").text == "weights")
    let state = try await service.get("/api/state").text
    #expect(state.contains("\"setLocal\":{\"address\":\"set.safetensors\",\"agent\":\"network\"}"), "\(state)")
    #expect(try await WebService.stub().get("/set.safetensors").status == 404)
    #expect(try await service.get("/model.safetensors").status == 404)
  }

  @Test func tooManyWaitersAreTurnedAway() async throws {
    let gate = Gate()
    let slow = SetWebAgent(name: "slow", title: "Slow", criterion: .none) { position in
      gate.wait()
      return .init(choice: position.table.hint, analysis: nil)
    }
    let service = WebService(agents: [.random], setAgents: [slow])
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<140 {
        group.addTask { try await service.get("/set/analyze?table=1rsd,2rsd,3rsd&unseen=").status }
      }
      var statuses: [Int] = []
      while statuses.count < 12, let status = try await group.next() { statuses.append(status) }
      #expect(statuses.allSatisfy { $0 == 503 })
      gate.open()
      for try await status in group { statuses.append(status) }
      return statuses
    }
    #expect(statuses.filter { $0 == 200 }.count == 128)
  }

  @Test(
    arguments: [
      ("unseen=", "the parameter 'table' is missing"), ("table=1rsd,2rsd,3rsd", "the parameter 'unseen' is missing"),
      ("table=1rsd,2rsd,3rsd&unseen=1rsd", "table: the card 1rsd"),
      ("table=1rsd,1rsd,3rsd&unseen=", "table: the card 1rsd (one red solid diamond) is there twice"),
      ("table=1rsd,2rsd,3rsd&unseen=1gsd,2gsd,3gsd", "table: 3 cards on the table"),
      ("table=1rsd,2rsd&unseen=", "table: 2 cards on the table"), ("table=zzzz&unseen=", "table: 'zzzz' is not a card"),
      ("table=1rsd,2rsd,3rsd&unseen=zzzz", "unseen: 'zzzz' is not a card"),
      ("table=&unseen=&agent=me", "no agent is called 'me': there is search"),
      ("table=&unseen=&agent=heuristic", "no agent is called 'heuristic': there is search"),
    ] as [(String, String)])
  func badQuestionsGetAReason(query: String, reason: String) async throws {
    let response = try await WebService.stub().get("/set/analyze?\(query)")
    #expect(response.status == 400)
    #expect(response.text.hasPrefix(reason), "\(response.text)")
    #expect(!response.text.contains("\n"))
    #expect(response.headers["Access-Control-Allow-Origin"] == "*")
  }

  @Test func onlyAnalysisIsTheServers() async throws {
    let service = WebService.stub()
    let refused = try await service.get("/set/analyze", method: "POST")
    #expect(refused.status == 405 && refused.headers["Allow"] == "GET, HEAD, OPTIONS")
    #expect(try await service.get("/set/analyze", method: "OPTIONS").status == 204)
    #expect(try await service.get("/set/analyze?table=&unseen=", method: "HEAD").status == 200)
    for path in ["/set", "/set/", "/set/analyze/", "/set/x"] { #expect(try await service.get(path).status == 404) }
  }
}
