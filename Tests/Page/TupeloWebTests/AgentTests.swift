import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch
import TupeloWeb

/// Agents made from specifications, and the agents that a server offers.
@Suite struct AgentTests {
  private static func reply(_ service: WebService, _ query: String) async throws -> AnalyzeReply {
    let response = try await service.get("/analyze?\(query)")
    #expect(response.status == 200, "\(response.text)")
    return try JSONDecoder().decode(AnalyzeReply.self, from: Data(response.body))
  }

  private static func service(_ specification: String, maximumPlies: Int = 3) throws -> WebService {
    WebService(agents: [
      WebAgent(
        try AgentSpecification(text: specification), model: StubEvaluator(), name: "it", title: "It",
        maximumPlies: maximumPlies)
    ])
  }

  /// The plies of a request replace those of the specification, whatever it says.
  @Test func pliesAreChosenPerQuestion() async throws {
    var positions = RandomPositions(seed: 31)
    let boards = try (0..<8).map { _ in try Board(exponents: positions.matrix(largest: 9).flatMap { $0 }) }
    let deep = try Self.service("expectimax(plies: 3)")
    let minimax = try Self.service("minimax(plies: 1)")
    for plies in 1...2 {
      var search = Expectimax(StubEvaluator(), plies: plies)
      var opponent = Minimax(StubEvaluator(), plies: plies)
      for board in boards {
        let expected = search.analyze(board)
        let against = opponent.analyze(board)
        let one = try await Self.reply(deep, "board=\(board.hex())&plies=\(plies)")
        #expect(one.plies == plies || board.isTerminal())
        #expect(one.moves.map(\.value) == Move.allCases.map { expected[$0]?.value })
        let other = try await Self.reply(minimax, "board=\(board.hex())&plies=\(plies)")
        #expect(other.moves.map(\.value) == Move.allCases.map { against[$0]?.value })
      }
    }
  }

  /// A request that names no plies is searched for a time, by an agent that searches with a model.
  @Test func aTimeTakesThePlaceOfTheUsualPlies() async throws {
    let evaluator = StubEvaluator()
    let agents = [
      WebAgent.searching(evaluator, name: "model", title: "Model"),
      WebAgent(.expectimax(plies: 1), name: "heuristic", title: "Heuristic"),
      WebAgent(AgentSpecification(.greedy), model: evaluator, name: "greedy", title: "Greedy"),
    ]
    let service = WebService(agents: agents, plies: 2, milliseconds: 60_000)
    // Whatever is played, one move is left: the search ends long before its time, however deep it may go.
    let board = try #require(Self.nearTheEnd())
    var search = Expectimax(evaluator, limits: SearchLimits(plies: SearchLimits.maximumPlies))
    let timed = try await Self.reply(service, "board=\(board.hex())")
    #expect(timed.plies > 3 && timed.moves.map(\.value) == Move.allCases.map { search.analyze(board)[$0]?.value })
    #expect(try await Self.reply(service, "board=\(board.hex())&plies=2").plies == 2)
    #expect(try await Self.reply(service, "board=\(board.hex())&agent=heuristic").plies == 2)
    #expect(try await Self.reply(service, "board=\(board.hex())&agent=greedy").plies == 1)
    #expect(try await service.get("/move?board=\(board.hex())").text == timed.best.map { String($0.prefix(1)) })
  }

  /// A board from which every game is over after at most two moves.
  private static func nearTheEnd() -> Board? {
    for number in 0..<20_000 as Range<UInt64> {
      var (boards, agent) = ([Board](), RandomAgent())
      agent.beginGame(seed: 4, number: number)
      var game = Game(seed: 4, number: number)
      while let move = agent.move(on: game.board) {
        boards.append(game.board)
        game.play(move)
      }
      if let last = boards.last, longest(from: last, limit: 3) <= 2 { return last }
    }
    return nil
  }

  /// The largest number of moves that can still be played, up to a limit.
  private static func longest(from board: Board, limit: Int) -> Int {
    guard limit > 0 else { return 0 }
    let chance = ChanceModel(.standard)
    return Move.allCases.compactMap { board.afterstate(of: $0)?.afterstate }.map { afterstate in
      let boards = chance.outcomes(of: afterstate).map { afterstate.board(after: $0) }
      return 1 + (boards.map { longest(from: $0, limit: limit - 1) }.max() ?? 0)
    }.max() ?? 0
  }

  @Test func noMorePliesThanAllowed() async throws {
    for (specification, most) in [("expectimax(plies: 8)", 2), ("minimax(plies: 8)", 1)] {
      let service = try Self.service(specification, maximumPlies: most)
      let refused = try await service.get("/move?board=1200000000000000&plies=\(most + 1)")
      #expect(refused.status == 400 && refused.text.hasPrefix("plies is '\(most + 1)': give 1"))
      #expect(try await service.get("/move?board=1200000000000000").status == 200, "the usual plies are within")
    }
  }

  @Test func withoutAModelTheHeuristicPlaysThemAll() async throws {
    let service = WebService(agents: WebAgent.offered(maximumPlies: 2))
    #expect(service.agents.map(\.name) == ["heuristic", "greedy", "minimax", "montecarlo", "random"])
    #expect(service.agents.map(\.maximumPlies) == [2, 0, 2, 0, 0])
    #expect(service.agents.map(\.valuesMoves) == [true, true, true, true, false])
    #expect(service.agents.allSatisfy { !$0.usesModel })
    let board = try Board(hex: "1230020031004211")
    var search = Expectimax(HeuristicEvaluator(), plies: 2)
    let reply = try await Self.reply(service, "board=\(board.hex())")
    #expect(reply.agent == "heuristic" && reply.plies == 2)
    let expected = search.analyze(board)
    #expect(reply.moves.map(\.value) == Move.allCases.map { expected[$0]?.value })
    #expect(try await service.get("/move?board=\(board.hex())").text == search.move(on: board).map { "\($0.letter)" })
  }

  @Test func withAModelItPlaysAllButOne() async throws {
    let service = WebService(agents: WebAgent.offered(model: StubEvaluator(), title: "Stub"))
    #expect(service.agents.map(\.name) == ["network", "heuristic", "greedy", "minimax", "montecarlo", "random"])
    #expect(service.agents.map(\.usesModel) == [true, false, true, true, true, false])
    #expect(service.agents.map(\.title).prefix(1) == ["Network Stub"])
    let board = "1230020031004211"
    var (stub, heuristic) = (Expectimax(StubEvaluator(), plies: 1), Expectimax(HeuristicEvaluator(), plies: 1))
    for (name, values) in [
      ("network", stub.analyze(try Board(hex: board)).candidates.map(\.value)),
      ("heuristic", heuristic.analyze(try Board(hex: board)).candidates.map(\.value)),
    ] {
      let reply = try await Self.reply(service, "board=\(board)&plies=1&agent=\(name)")
      #expect(reply.moves.compactMap(\.value) == values)
    }
  }

  /// Monte Carlo plays whole games for a move: it gives values for legal moves, equal values for equal requests, and no
  /// choice of plies.
  @Test func monteCarloIsAskedLikeTheOthers() async throws {
    let service = WebService(agents: WebAgent.offered(model: EmptyCells(), title: "Empty cells"))
    // The only legal move is down.
    let board = "1234000000000000"
    let reply = try await Self.reply(service, "board=\(board)&agent=montecarlo")
    #expect(reply.plies == 0 && reply.best == "down" && reply.moves.map(\.legal) == [false, false, true, false])
    #expect(reply.moves[2].value.map { $0 > 100 } == true && reply.moves[0].value == nil)
    let again = try await Self.reply(service, "board=\(board)&agent=montecarlo")
    #expect(again.moves[2].value == reply.moves[2].value)
    // Rollouts with the model give other values than rollouts with the heuristic.
    let other = try await Self.reply(WebService(agents: WebAgent.offered()), "board=\(board)&agent=montecarlo")
    #expect(other.moves[2].value != reply.moves[2].value)
    #expect(try await service.get("/move?board=\(board)&agent=montecarlo&plies=2").status == 400)
  }

  @Test func aHeuristicThatIsNamedNeedsNoModel() async throws {
    let named = try Self.service("expectimax(plies: 1, evaluator: heuristic)")
    #expect(named.agents.allSatisfy { !$0.usesModel })
    let plain = WebService(agents: [WebAgent(.expectimax(plies: 1), name: "it", title: "It")])
    let board = "1230020031004211"
    let (one, other) = (try await Self.reply(named, "board=\(board)"), try await Self.reply(plain, "board=\(board)"))
    #expect(one.moves.map(\.value) == other.moves.map(\.value))
  }

  /// A request chooses whose values an agent plays by; agents without a choice refuse.
  @Test func evaluatorsAreChosenPerQuestion() async throws {
    let models = [WebModel(StubEvaluator(), title: "Stub"), WebModel(EmptyCells(), title: "Empty cells")]
    let service = WebService(agents: WebAgent.offered(models: models))
    #expect(service.agents[0].title == "Network" && service.agents[0].evaluators.map(\.name) == ["model", "model-2"])
    #expect(service.agents[2].evaluators.map(\.title) == ["Stub", "Empty cells", "the heuristic"])
    let hex = "1230020031004211"
    let board = try Board(hex: hex)
    var (stub, empty) = (Expectimax(StubEvaluator(), plies: 1), Expectimax(EmptyCells(), plies: 1))
    var heuristic = Expectimax(HeuristicEvaluator(), plies: 1)
    let wanted = [
      "agent=network": stub.analyze(board), "agent=network&evaluator=model": stub.analyze(board),
      "agent=network&evaluator=model-2": empty.analyze(board), "agent=greedy&evaluator=model-2": empty.analyze(board),
      "agent=greedy": stub.analyze(board), "agent=greedy&evaluator=heuristic": heuristic.analyze(board),
    ]
    for (query, analysis) in wanted {
      let reply = try await Self.reply(service, "board=\(hex)&plies=1&\(query)")
      #expect(reply.moves.map(\.value) == Move.allCases.map { analysis[$0]?.value }, "\(query)")
    }
    for (query, text) in [
      "agent=network&evaluator=heuristic": "no evaluator is called 'heuristic': there is model, model-2",
      "agent=random&evaluator=model": "the agent 'random' has no evaluator to choose: leave it out",
      "agent=heuristic&evaluator=model": "the agent 'heuristic' has no evaluator to choose: leave it out",
    ] {
      let refused = try await service.get("/analyze?board=\(hex)&\(query)")
      #expect(refused.status == 400 && refused.text == text, "\(refused.text)")
    }
    let alone = WebAgent.offered(model: StubEvaluator(), title: "Stub")
    #expect(alone[0].evaluators.isEmpty, "a single model leaves nothing to choose")
  }

  /// More rollouts give other values, those of the agent with that number of rollouts; agents without rollouts refuse.
  @Test func rolloutsAreChosenPerQuestion() async throws {
    let service = WebService(agents: WebAgent.offered(model: EmptyCells(), title: "Empty cells"))
    let hex = "1230020031004211"
    for (query, rollouts) in [("", 5), ("&rollouts=2", 2), ("&rollouts=9", 9)] {
      var agent = MonteCarlo(EmptyCells(), rollouts: rollouts, policy: .greedy, rules: .standard, seed: 0)
      let wanted = agent.analyze(try Board(hex: hex))
      let reply = try await Self.reply(service, "board=\(hex)&agent=montecarlo\(query)")
      #expect(reply.moves.map(\.value) == Move.allCases.map { wanted[$0]?.value }, "\(rollouts)")
    }
    for (query, text) in [
      "agent=montecarlo&rollouts=0": "rollouts is '0': give 1 to 100",
      "agent=montecarlo&rollouts=101": "rollouts is '101': give 1 to 100",
      "agent=greedy&rollouts=5": "the agent 'greedy' has no rollouts to choose: leave it out",
    ] {
      let refused = try await service.get("/analyze?board=\(hex)&\(query)")
      #expect(refused.status == 400 && refused.text == text, "\(refused.text)")
    }
  }

  /// With a time, the depth is the one that the time allows, but at most the plies of the request; these may be more
  /// than an agent searches without a time.
  @Test func timeIsChosenPerQuestion() async throws {
    let service = WebService(agents: WebAgent.offered(model: StubEvaluator(), title: "Stub", maximumPlies: 1))
    let board = "1213213212131233"
    var search = Expectimax(StubEvaluator(), plies: 2)
    let wanted = search.analyze(try Board(hex: board))
    let reply = try await Self.reply(service, "board=\(board)&agent=network&milliseconds=2000&plies=2")
    #expect(reply.plies == 2 && reply.moves.map(\.value) == Move.allCases.map { wanted[$0]?.value })
    #expect(try await service.get("/move?board=\(board)&plies=2").status == 400, "without a time it is too deep")
    let start = try Board(hex: board)
    let legal = Move.allCases.filter { start.afterstate(of: $0) != nil }.map { String($0.letter) }
    #expect(legal.contains(try await service.get("/move?board=\(board)&milliseconds=1").text))
    for (query, text) in [
      "milliseconds=2001": "milliseconds is '2001': give 1 to 2000",
      "milliseconds=5&plies=9": "plies is '9': give 1 to 8",
      "milliseconds=x": "milliseconds is 'x': give 1 to 2000",
      "agent=minimax&milliseconds=5": "the agent 'minimax' has no milliseconds to choose: leave it out",
    ] {
      let refused = try await service.get("/analyze?board=\(board)&\(query)")
      #expect(refused.status == 400 && refused.text == text, "\(refused.text)")
    }
  }
}
