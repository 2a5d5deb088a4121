import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch
import TupeloWeb

/// The answer to `/analyze`, as another program reads it.
struct AnalyzeReply: Decodable {
  struct Candidate: Decodable {
    let move: String
    let legal: Bool
    let reward: Int?
    let value: Double?
    let difference: Double?
  }
  let board: String
  let agent: String
  let plies: Int
  let best: String?
  let over: Bool
  let moves: [Candidate]
}

@Suite struct MoveTests {
  private static func reply(_ response: WebResponse) throws -> AnalyzeReply {
    try JSONDecoder().decode(AnalyzeReply.self, from: Data(response.body))
  }

  @Test func moveAnswersOneLetterAsMoveServersDo() async throws {
    let service = WebService.stub()
    var search = Expectimax(StubEvaluator(), plies: 2)
    var positions = RandomPositions(seed: 7)
    for _ in 0..<50 {
      let board = try Board(exponents: positions.matrix(largest: 12).flatMap { $0 })
      let response = try await service.get("/move?board=\(board.hex())")
      #expect(response.status == 200)
      #expect(response.text == search.move(on: board).map { String($0.letter) } ?? "g")
      #expect(response.headers["Content-Type"]?.hasPrefix("text/plain") == true)
      #expect(response.headers["Access-Control-Allow-Origin"] == "*")
    }
  }

  @Test func moveAcceptsUpperCaseAndLargeTiles() async throws {
    let service = WebService.stub()
    #expect(try await service.get("/move?board=FEDCBA9876543210").status == 200)
    let over = "123456789abcdefg"
    #expect(try await service.get("/move?board=\(over)").text == "g")
    #expect(try await service.get("/move?board=\(over.uppercased())").text == "g")
    #expect(try await service.get("/move?board=2+4+0+0%2C0+0+0+0,0,0,0,0,0,0,0,2").text.count == 1)
  }

  @Test func analyzeAnswersAllFourMoves() async throws {
    let service = WebService.stub()
    var positions = RandomPositions(seed: 11)
    for plies in 1...2 {
      for four in [0.1, 0.5, 0] {
        var search = Expectimax(StubEvaluator(), plies: plies, rules: try Rules(fourProbability: four))
        for _ in 0..<10 {
          let board = try Board(exponents: positions.matrix(largest: 10).flatMap { $0 })
          let response = try await service.get("/analyze?board=\(board.hex())&plies=\(plies)&four=\(four)")
          let reply = try Self.reply(response)
          let analysis = search.analyze(board)
          #expect(reply.board == board.hex() && reply.agent == "stub" && reply.plies == plies)
          #expect(reply.over == board.isTerminal())
          #expect(reply.best == analysis.best.map { "\($0.move)" })
          #expect(reply.moves.map(\.move) == ["up", "right", "down", "left"])
          for (move, candidate) in zip(Move.allCases, reply.moves) {
            let outcome = board.afterstate(of: move)
            #expect(candidate.legal == (outcome != nil))
            #expect(candidate.reward == outcome?.reward)
            #expect(candidate.value == analysis[move]?.value)
            #expect(candidate.difference == analysis[move]?.difference)
          }
        }
      }
    }
  }

  @Test func agentWithoutValuesLeavesThemOut() async throws {
    let reply = try Self.reply(try await WebService.stub().get("/analyze?board=1000000000000000&agent=random"))
    #expect(reply.best == "right" || reply.best == "down")
    #expect(reply.moves.map(\.legal) == [false, true, true, false])
    #expect(reply.moves.allSatisfy { $0.value == nil && $0.difference == nil })
  }

  @Test(
    arguments: [
      ("/move", "the parameter 'board' is missing"),
      ("/move?board=12", "a board has 16 hex digits, this has 2"),
      ("/move?board=zzzzzzzzzzzzzzzz", "'z' at position 1 is not a tile"),
      ("/move?board=3%200%200%200%200%200%200%200%200%200%200%200%200%200%200%200", "'3' at position 1 is not a tile"),
      ("/analyze?board=1200000000000000&plies=9", "plies is '9': give 1 to 3"),
      ("/analyze?board=1200000000000000&plies=-1", "plies is '-1': give 1 to 3"),
      ("/analyze?board=1200000000000000&agent=random&plies=2", "plies is '2': give 1"),
      ("/analyze?board=1200000000000000&agent=me", "no agent is called 'me': there is stub, random"),
      ("/analyze?board=1200000000000000&four=nan", "four is 'nan': give the probability of a 4, 0 to 1"),
      ("/analyze?board=1200000000000000&four=2", "four is '2': give the probability of a 4, 0 to 1"),
    ] as [(String, String)])
  func badQuestionsGetAReason(target: String, reason: String) async throws {
    let response = try await WebService.stub().get(target)
    #expect(response.status == 400)
    #expect(response.text.hasPrefix(reason), "\(response.text)")
    #expect(response.headers["Access-Control-Allow-Origin"] == "*")
  }

  @Test func searchesAtTheSameTimeDoNotMixUp() async throws {
    let service = WebService.stub()
    var positions = RandomPositions(seed: 5)
    let boards = try (0..<100).map { _ in try Board(exponents: positions.matrix(largest: 8).flatMap { $0 }) }
    try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (index, board) in boards.enumerated() {
        group.addTask { (index, try await service.get("/move?board=\(board.hex())&plies=\(index % 3 + 1)").text) }
      }
      for try await (index, letter) in group {
        var search = Expectimax(StubEvaluator(), plies: index % 3 + 1)
        #expect(letter == search.move(on: boards[index]).map { String($0.letter) } ?? "g")
      }
    }
  }

  @Test func tooManyWaitersAreTurnedAway() async throws {
    let gate = Gate()
    let slow = WebAgent(name: "slow", title: "Slow", maximumPlies: 0) { _, _, _ in
      gate.wait()
      return .init(move: .up, analysis: nil)
    }
    let service = WebService(agents: [slow])
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { try await service.get("/move?board=1200000000000000").status } }
      var statuses: [Int] = []
      // The queue holds 128 requests; the other ones get an answer while those in the queue still wait.
      while statuses.count < 200 - 128, let status = try await group.next() { statuses.append(status) }
      #expect(statuses.allSatisfy { $0 == 503 })
      gate.open()
      for try await status in group { statuses.append(status) }
      return statuses
    }
    #expect(statuses.filter { $0 == 503 }.count == 72)
    #expect(statuses.filter { $0 == 200 }.count == 128)
    #expect(try await service.get("/move?board=1200000000000000").text == "u")
  }
}

/// Blocks threads until it is opened.
final class Gate: Sendable {
  private let condition = NSCondition()
  nonisolated(unsafe) private var isOpen = false

  func wait() {
    condition.lock()
    while !isOpen { condition.wait() }
    condition.unlock()
  }

  func open() {
    condition.lock()
    isOpen = true
    condition.broadcast()
    condition.unlock()
  }
}
