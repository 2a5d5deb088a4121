import Foundation
import SetEngine
import SetPlayers
import Testing
import TupeloEngine
import TupeloWeb

/// What `/set/analyze` says, as another program reads it.
struct SetAnalysisReply: Decodable {
  struct Choice: Decodable {
    let cards: [String]
    let value: Double?
    let difference: Double?
    let rollouts: Int?
    let tableSets: Int
    let setsLeft: Int
  }
  let agent: String
  let best: [String]?
  let exact: Bool
  let over: Bool
  let choices: [Choice]
}

/// Values a table by its cards: cheap, and never equal for different ones.
private struct StubSetEvaluator: SetEvaluator {
  func value(of afterstate: SetAfterstate) -> Float {
    afterstate.table.reduce(0) { $0 + Float($1.index * $1.index) } / 4096
  }
}

@Suite struct SetAnalysisTests {
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

  private static func positions(_ count: Int) -> [SetPosition] {
    let deals = DealModel()
    return (0..<count).map { number in
      var random = RandomStream(seed: 12, stream: UInt64(number))
      var position = deals.position(after: SetAfterstate(startOf: .standard), using: &random)
      for _ in 0..<(number * 2) {
        guard let trio = position.table.hint, let afterstate = position.afterstate(of: trio) else { break }
        position = deals.position(after: afterstate, using: &random)
      }
      return position
    }
  }

  /// Counted with one card after the other in place of the engine's masks.
  private static func setCount(_ cards: [Card]) -> Int { SetTests.sets(cards.map(\.notation)).count }

  @Test func agentsAnswerAsTheyPlay() async throws {
    for position in Self.positions(11) {
      let sets = position.sets.map { [$0.first, $0.second, $0.third].map(\.notation) }
      var (counting, mostLeft, greedy) = (CountingPlayer(), MostLeftPlayer(), GreedySetPlayer(HeuristicSetEvaluator()))
      for name in ["search", "heuristic", "counting", "most-left", "random"] {
        let reply = try await Self.reply(position, agent: name)
        #expect(reply.agent == name && reply.over == sets.isEmpty)
        #expect(Set(reply.choices.map(\.cards)) == Set(sets) && reply.choices.count == sets.count)
        if let best = reply.best { #expect(sets.contains(best)) } else { #expect(sets.isEmpty) }
        for choice in reply.choices {
          let cards = try Card.list(choice.cards.joined(separator: " "))
          #expect(choice.tableSets == Self.setCount(position.table.filter { !cards.contains($0) }))
        }
        if position.unseen.count > 6 {
          let best = reply.best
          func cards(_ trio: Trio?) -> [String]? { trio.map { [$0.first, $0.second, $0.third].map(\.notation) } }
          switch name {
          case "counting":
            #expect(best == cards(counting.choice(in: position)))
            #expect(reply.choices.map(\.setsLeft) == reply.choices.map(\.setsLeft).sorted(by: >))
            #expect(reply.choices.first?.cards == best && reply.choices.allSatisfy { $0.value == nil })
          case "most-left":
            #expect(best == cards(mostLeft.choice(in: position)))
            #expect(reply.choices.first?.cards == best)
          case "heuristic":
            let analysis = greedy.analyze(position)
            #expect(reply.choices.map(\.value) == analysis.candidates.map(\.value) && !reply.exact)
            #expect(reply.choices.map(\.cards) == analysis.candidates.compactMap { cards($0.trio) })
          default: break
          }
        } else if name != "random" {
          #expect(reply.exact || sets.isEmpty)
        }
        #expect(reply.choices.first?.difference ?? 0 == 0)
      }
    }
  }

  /// Equal questions get equal values, and few rollouts are not what they come from.
  @Test func searchIsTheSameEachTime() async throws {
    let position = try #require(Self.positions(3).last)
    let (one, two) = (try await Self.reply(position, agent: "search"), try await Self.reply(position, agent: "search"))
    #expect(one.choices.map(\.value) == two.choices.map(\.value) && one.choices.count > 1)
    #expect(one.choices.allSatisfy { $0.rollouts.map { $0 >= 16 } == true })
  }

  /// The last nine cards are a plane: three parallel Sets go, whichever is first. No other Set stays but the two that
  /// are parallel to it.
  @Test func theLastNineCards() async throws {
    let plane = SetPosition(uncheckedTable: CardSet(firstCards: 9), unseen: CardSet())
    for agent in SetWebAgent.offered.map(\.name) where agent != "random" {
      let reply = try await Self.reply(plane, agent: agent)
      #expect(reply.choices.count == 12 && reply.exact && !reply.over)
      #expect(reply.choices.allSatisfy { $0.value == 3 && $0.difference == 0 })
      #expect(reply.choices.allSatisfy { $0.tableSets == 2 && $0.setsLeft == 2 })
    }
    let random = try await Self.reply(plane, agent: "random")
    #expect(random.choices.allSatisfy { $0.value == nil } && random.best != nil)
    let over = try await Self.reply(SetPosition(uncheckedTable: CardSet(), unseen: CardSet()))
    #expect(over.over && over.best == nil && over.choices.isEmpty)
  }

  /// A Set of which each card lies in another Set, with cards that lie nowhere else: taken first it is the only one,
  /// and left it is the only one lost.
  @Test func aWrongFirstChoiceCosts() async throws {
    // The middle Set is 1rsd 2rsd 3rsd; each of its cards makes a Set with two cards of its own.
    let table = try Card.list("1rsd 2rsd 3rsd 1gtv 1poq 2gsv 2psq 3gtd 3pod")
    let sets = SetTests.sets(table.map(\.notation))
    try #require(sets.count == 4)
    let reply = try await Self.reply(SetPosition(uncheckedTable: CardSet(table), unseen: CardSet()), agent: "heuristic")
    #expect(reply.exact && reply.choices.map(\.value) == [3, 3, 3, 1])
    #expect(reply.choices.map(\.tableSets) == [2, 2, 2, 0])
    #expect(reply.choices.last?.cards == ["1rsd", "2rsd", "3rsd"] && reply.choices.last?.difference == -2)
    #expect(reply.best == reply.choices.first?.cards)
  }

  @Test func aModelComesFirst() async throws {
    let service = WebService(
      agents: [.random], setAgents: SetWebAgent.offered(model: StubSetEvaluator(), title: "Stub"))
    #expect(service.setAgents.map(\.name) == ["network", "search", "heuristic", "counting", "most-left", "random"])
    #expect(service.setAgents.map(\.usesModel) == [true, true, false, false, false, false])
    #expect(service.setAgents.first?.title == "Network Stub")
    let position = try #require(Self.positions(4).last)
    let reply = try await Self.reply(position, service: service)
    #expect(reply.agent == "network")
    for choice in reply.choices {
      let cards = try Card.list(choice.cards.joined(separator: " "))
      let trio = try #require(Trio(cards[0], cards[1], cards[2]))
      let afterstate = try #require(position.afterstate(of: trio))
      #expect(choice.value == 1 + Double(StubSetEvaluator().value(of: afterstate)))
    }
    #expect(SetWebAgent.offered.allSatisfy { !$0.usesModel })
    #expect(SetWebAgent.offered.map(\.criterion) == [.value, .value, .setsLeft, .tableSets, .none])
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
}
