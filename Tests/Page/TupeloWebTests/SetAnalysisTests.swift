import Foundation
import Safetensors
import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

/// Agents of Set in the engine of the page, compared with those of the program.
@Suite(.enabled(if: Node.isHere, "\(Node.isMissing)"))
struct SetAnalysisTests {
  /// The agents of a page with a model, each with the largest number of cards in the deck for which it plays exactly.
  private static let agents = [("network", 6), ("heuristic", 6), ("counting", 0), ("most-left", 0), ("random", -1)]

  /// The path of the model of Set that comes with the repository.
  private static let shippedModel = Repository.file("models/set/model.safetensors")

  /// Positions of whole games, in which random Sets are taken.
  private static func positions(games: Range<UInt64>) -> [SetPosition] {
    let deals = DealModel()
    return games.flatMap { number in
      var random = RandomStream(seed: 31, stream: number)
      var position = deals.position(after: SetAfterstate(startOf: .standard), using: &random)
      var positions = [position]
      while position.table.setCount > 0,
        let next = position.afterstate(of: position.table.set(ofRank: random.next(below: position.table.setCount)))
      {
        position = deals.position(after: next, using: &random)
        positions.append(position)
      }
      return positions
    }
  }

  private static func replies(
    to questions: [(String, SetPosition)], model: String = shippedModel
  ) async throws -> [SetAnalysisReply] {
    var random = TestRandom(state: 31)
    let questions = questions.map { agent, position in
      SetModule.Question.analyze(
        position.table.map(\.notation).shuffled(using: &random),
        unseen: position.unseen.map(\.notation).joined(separator: " "), agent: agent)
    }
    return try await SetModule.replies(to: questions, as: SetAnalysisReply.self, model: model)
      .map { try #require($0.answer) }
  }

  private static func cards(_ trio: Trio) -> [String] { [trio.first, trio.second, trio.third].map(\.notation) }

  /// Every choice of 6,000 positions has the program's values, to the bit; each agent is tested on a fifth of them.
  @Test func agentsAnswerAsTheyPlay() async throws {
    let network = try SetNetwork(file: SafetensorsFile(path: Self.shippedModel))
    var greedy = (GreedySetPlayer(network), GreedySetPlayer(HeuristicSetEvaluator()))
    var (counting, mostLeft) = (CountingPlayer(), MostLeftPlayer())
    let positions = Self.positions(games: 0..<260)
    #expect(positions.count > 6000)
    let questions = positions.enumerated().map { (Self.agents[$0 % Self.agents.count].0, $1) }
    for (index, reply) in try await Self.replies(to: questions).enumerated() {
      let (position, (name, exactCards)) = (positions[index], Self.agents[index % Self.agents.count])
      let isExact = exactCards >= 0 && position.unseen.count <= exactCards
      var analysis: SetAnalysis?
      if isExact {
        analysis = Endgame(cards: exactCards).analyze(position)
      } else if exactCards == 6 {
        analysis = name == "network" ? greedy.0.analyze(position) : greedy.1.analyze(position)
      }
      #expect(reply.agent == name && reply.over == position.isOver && reply.exact == isExact, "\(name): \(position)")
      #expect(Set(reply.choices.map(\.cards)) == Set(position.sets.map(Self.cards)), "\(name): \(position)")
      for choice in reply.choices {
        let taken = CardSet(try Card.list(choice.cards.joined(separator: " ")))
        #expect(choice.tableSets == position.table.subtracting(taken).setCount)
        #expect(choice.setsLeft == position.table.union(position.unseen).subtracting(taken).setCount)
      }
      if let analysis {
        #expect(reply.choices.map(\.cards) == analysis.candidates.map { Self.cards($0.trio) }, "\(name): \(position)")
        #expect(reply.choices.map(\.value) == analysis.candidates.map(\.value), "\(name): \(position)")
        #expect(reply.choices.map(\.difference) == analysis.candidates.map(\.difference), "\(name): \(position)")
        #expect(reply.best == analysis.best.map { Self.cards($0.trio) })
        continue
      }
      #expect(reply.choices.allSatisfy { $0.value == nil && $0.difference == nil })
      switch name {
      case "counting":
        let best = counting.choice(in: position).map(Self.cards)
        #expect(reply.best == best && reply.choices.first?.cards == best)
        let left: [Int] = reply.choices.map { $0.setsLeft }
        #expect(left == left.sorted(by: >))
      case "most-left":
        let best = mostLeft.choice(in: position).map(Self.cards)
        #expect(reply.best == best && reply.choices.first?.cards == best)
        let sets: [Int] = reply.choices.map { $0.tableSets }
        #expect(sets == sets.sorted(by: >))
      default: #expect(reply.best.map { position.sets.map(Self.cards).contains($0) } ?? position.isOver)
      }
    }
  }

  /// The last nine cards are a plane: three parallel Sets are taken, whichever is first. After it, only the two Sets
  /// that are parallel to it remain.
  @Test func theLastNineCards() async throws {
    let plane = SetPosition(uncheckedTable: CardSet(firstCards: 9), unseen: CardSet())
    for reply in try await Self.replies(to: Self.agents.map { ($0.0, plane) }) {
      let isExact = reply.agent != "random"
      #expect(reply.choices.count == 12 && reply.exact == isExact && !reply.over && reply.best != nil)
      #expect(reply.choices.allSatisfy { $0.value == (isExact ? 3 : nil) && $0.difference == (isExact ? 0 : nil) })
      #expect(reply.choices.allSatisfy { $0.tableSets == 2 && $0.setsLeft == 2 })
    }
    let over = SetPosition(uncheckedTable: CardSet(), unseen: CardSet())
    let reply = try #require(try await Self.replies(to: [("counting", over)]).first)
    #expect(reply.over && reply.best == nil && reply.choices.isEmpty)
  }

  /// A Set of which each card lies in another Set, with cards that lie nowhere else: a player who takes it first takes
  /// no other Set, and a player who leaves it loses only this one.
  @Test func aWrongFirstChoiceCosts() async throws {
    // The middle Set is 1rsd 2rsd 3rsd; each of its cards makes a Set with two cards of its own.
    let table = try Card.list("1rsd 2rsd 3rsd 1gtv 1poq 2gsv 2psq 3gtd 3pod")
    let sets = SetTests.sets(table.map(\.notation))
    try #require(sets.count == 4)
    let position = SetPosition(uncheckedTable: CardSet(table), unseen: CardSet())
    let reply = try #require(try await Self.replies(to: [("heuristic", position)], model: "").first)
    #expect(reply.exact && reply.choices.map(\.value) == [3, 3, 3, 1])
    #expect(reply.choices.map(\.tableSets) == [2, 2, 2, 0])
    #expect(reply.choices.last?.cards == ["1rsd", "2rsd", "3rsd"] && reply.choices.last?.difference == -2)
    #expect(reply.best == reply.choices.first?.cards)
  }

  /// The list of the page's script has the agents that its engine knows.
  @Test func thePageOffersTheAgentsOfItsEngine() async throws {
    let question = SetModule.Question.analyze([], unseen: "", agent: "nobody")
    let reply = try await SetModule.replies(to: [question], as: SetAnalysisReply.self).first
    let names = try #require(reply?.refusal?.split(separator: "there is ").last).split(separator: ", ")
    let script = try PageSources.text("set/table.js")
    #expect(names.count == 4 && script.components(separatedBy: "{ name: \"").count == 6)
    for name in names + ["network"] { #expect(script.contains("{ name: \"\(name)\", title: "), "\(name)") }
  }
}
