import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloSearch

@Suite struct SearchSpecificationTests {
  /// The parser reads canonical texts, and the specification prints the same text.
  @Test(
    arguments: [
      "random", "greedy", "greedy(evaluator: heuristic)", "expectimax(plies: 3)", "expectimax(milliseconds: 10)",
      "expectimax(nodes: 100000)", "expectimax(plies: 3, table: 16)",
      "expectimax(plies: 3, milliseconds: 5, nodes: 9, extend: 4, cutoff: 0.001, table: 16, threads: 1, "
        + "evaluator: model)",
      "expectimax(plies: 3, cutoff: 1e-05)", "minimax(plies: 2)", "minimax(plies: 8, evaluator: heuristic)",
      "montecarlo(rollouts: 200)", "montecarlo(rollouts: 50, policy: greedy)",
      "montecarlo(rollouts: 50, policy: greedy, evaluator: heuristic)",
    ] as [String]) func roundTrips(_ text: String) throws
  {
    let specification = try AgentSpecification(text: text)
    #expect(specification.description == text)
    #expect(try AgentSpecification(text: specification.description) == specification)
  }

  /// The text of every specification can be read, also where its numbers are beyond their ranges. It is the text of the
  /// agent that plays.
  @Test func everySpecificationCanBeRead() throws {
    let numbers = [nil, .min, -1, 0, 1, 8, 12, .max] as [Int?]
    var players: [AgentSpecification.Player] = [.random, .greedy]
    for number in numbers {
      for other in numbers {
        for cutoff in [nil, 0, -1, 1, 2, 0.5, 1e-300, .nan, .infinity] as [Double?] {
          var settings = AgentSpecification.ExpectimaxSettings(plies: number, milliseconds: other)
          (settings.extend, settings.cutoff, settings.table, settings.threads) = (other, cutoff, number, other)
          players.append(.expectimax(settings))
          (settings.nodes, settings.milliseconds) = (number, nil)
          players.append(.expectimax(settings))
        }
      }
      players.append(.minimax(plies: number ?? 3))
      for policy in AgentSpecification.RolloutPolicy.allCases {
        players.append(.monteCarlo(rollouts: number ?? 3, policy: policy))
      }
    }
    for player in players {
      for evaluator in AgentSpecification.EvaluatorChoice.allCases {
        let text = "\(AgentSpecification(player, evaluator: evaluator))"
        let read = try AgentSpecification(text: text)
        #expect("\(read)" == text)
        guard case .expectimax(let settings) = player, case .expectimax(let other) = read.player else { continue }
        #expect(settings.limits == other.limits, "\(text)")
      }
    }
    #expect("\(AgentSpecification.expectimax(plies: 12))" == "expectimax(plies: 8)")
  }

  @Test func spacesAndOrderCountForNothing() throws {
    #expect(
      try AgentSpecification(text: "  expectimax ( table:16 ,plies :3 )\n")
        == AgentSpecification(text: "expectimax(plies: 3, table: 16)"))
    #expect(
      try AgentSpecification(text: "montecarlo(rollouts: 9, policy: random)").description == "montecarlo(rollouts: 9)")
    #expect(AgentSpecification.expectimax(plies: 2).description == "expectimax(plies: 2)")
  }

  @Test(
    arguments: [
      ("expectimx(plies: 3)", "no agent is called 'expectimx', did you mean expectimax?"),
      ("Random", "no agent is called 'Random', did you mean random?"),
      ("heuristic", "no agent is called 'heuristic', did you mean greedy(evaluator: heuristic)?"),
      ("mcts(rollouts: 3)", "no agent is called 'mcts', did you mean montecarlo(rollouts: 200)?"),
      ("", "no agent is called '': there are random, greedy, expectimax, minimax, montecarlo"),
      ("alphazero", "no agent is called 'alphazero': there are random, greedy, expectimax, minimax, montecarlo"),
      ("expectimax(ply: 3)", "expectimax has no setting 'ply': there are plies, milliseconds, nodes, extend, cutoff,"),
      ("expectimax(piles: 3)", "expectimax has no setting 'piles', did you mean plies?"),
      ("minimax(plies: 2, table: 16)", "minimax has no setting 'table': there are plies, evaluator"),
      ("random(plies: 1)", "random has no setting 'plies': it has none"),
      ("expectimax(plies: 0)", "plies is '0': give a whole number from 1 to 8"),
      ("expectimax(plies: 9)", "plies is '9': give a whole number from 1 to 8"),
      ("expectimax(plies: 3.5)", "plies is '3.5': give a whole number from 1 to 8"),
      ("expectimax(plies: 99999999999999999999)", "plies is '99999999999999999999': give a whole number from 1 to 8"),
      ("expectimax(milliseconds: 0)", "milliseconds is '0': give a whole number from 1 to 3600000"),
      ("expectimax(plies: 3, cutoff: 1)", "cutoff is '1': give a probability above 0 and below 1, such as 0.0001"),
      ("expectimax(plies: 3, cutoff: nan)", "cutoff is 'nan': give a probability above 0 and below 1, such as 0.0001"),
      ("montecarlo(rollouts: -5)", "rollouts is '-5': give a whole number from 1 to 1000000"),
      ("montecarlo", "montecarlo needs rollouts, such as montecarlo(rollouts: 200)"),
      ("expectimax", "expectimax needs plies, milliseconds or nodes, such as expectimax(plies: 3)"),
      ("expectimax(milliseconds: 5, extend: 3)", "extend does nothing for expectimax without plies: 3"),
      ("expectimax(plies: 1, table: 16)", "table does nothing for expectimax without plies: 2"),
      ("expectimax(plies: 2, cutoff: 0.1)", "cutoff does nothing for expectimax without plies: 3"),
      ("expectimax(nodes: 9, threads: 4)", "threads does nothing for expectimax with nodes: leave one of the two out"),
      ("montecarlo(rollouts: 5, policy: greddy)", "policy is 'greddy': give random or greedy, did you mean greedy?"),
      ("montecarlo(rollouts: 5, evaluator: model)", "evaluator does nothing for montecarlo without policy: greedy"),
      ("greedy(evaluator: net)", "evaluator is 'net': give automatic, model or heuristic"),
      ("expectimax(plies: 3, plies: 3)", "plies is given more than once"),
      ("expectimax(3)", "'3' is not a setting: write key: value, such as plies: 3"),
      ("expectimax(plies: 3,)", "'' is not a setting: write key: value, such as plies: 3"),
      ("expectimax(plies: 3", "an agent is a name, or a name and its settings in one pair of parentheses, such as"),
      ("greedy()", "an agent is a name, or a name and its settings in one pair of parentheses, such as"),
      ("expectimax(plies: \u{1b}[2J)", "plies is '\\u{1b}[2J': give a whole number from 1 to 8"),
    ] as [(String, String)]) func refusalsSayWhatToDo(_ text: String, _ message: String)
  {
    #expect {
      try AgentSpecification(text: text)
    } throws: { error in
      matches("\(error)", message)
    }
  }

  /// Each setting changes values, depth or nodes, or is refused. Threads change neither, and time is not tried.
  @Test func everySettingCountsOrIsRefused() throws {
    let searches = [
      "plies: 1", "plies: 2", "plies: 3", "plies: 1, extend: 15", "plies: 2, extend: 15", "nodes: 2000",
      "plies: 1, nodes: 2000", "plies: 2, nodes: 2000", "plies: 3, nodes: 2000", "plies: 1, milliseconds: 9",
    ]
    let bases: [AgentName: [String]] = [
      .random: [""], .greedy: [""], .expectimax: searches, .minimax: ["plies: 2"],
      .montecarlo: ["rollouts: 2", "rollouts: 2, policy: greedy"],
    ]
    let others: [AgentKey: [String]] = [
      .plies: ["1", "4"], .milliseconds: ["5"], .nodes: ["30"], .extend: ["15"], .cutoff: ["0.3"], .table: ["1", "0"],
      .threads: ["2"], .rollouts: ["3"], .policy: ["greedy"], .evaluator: ["heuristic"],
    ]
    let boards = try ExpectimaxTests.boards(8, seed: 64)
    func results(_ text: String) throws -> [MoveAnalysis?]? {
      do {
        var agent = try AgentSpecification(text: text).makeAgent(model: HashEvaluator())
        return boards.map { agent.analyze($0) }
      } catch is AgentSpecificationError {
        return nil
      }
    }
    for name in AgentName.allCases {
      for base in try #require(bases[name]) {
        let before = try results(base.isEmpty ? "\(name)" : "\(name)(\(base))")
        for key in name.row.keys where !base.contains("\(key):") {
          let texts = try #require(others[key]).map { "\(name)(\(base.isEmpty ? "" : base + ", ")\(key): \($0))" }
          let changed = try texts.map(results)
          if before == nil {
            // More plies give the other settings a meaning.
            #expect(key == .plies || key == .extend || changed.allSatisfy { $0 == nil }, "\(texts)")
          } else if ![.milliseconds, .threads].contains(key) {
            #expect(changed.contains { $0 != before }, "\(texts) change nothing")
          }
        }
      }
    }
    for base in ["plies: 1", "plies: 4, nodes: 9", "nodes: 9"] {
      #expect(throws: AgentSpecificationError.self) { try AgentSpecification(text: "expectimax(\(base), threads: 2)") }
    }
    _ = try AgentSpecification(text: "expectimax(plies: 2, threads: 2)")
  }

  @Test func hostileTextIsRefused() throws {
    #expect(throws: AgentSpecificationError.tooLong(limit: 500)) {
      try AgentSpecification(text: String(repeating: "a", count: 501))
    }
    // Each cut text and each text with one letter changed gives a specification or an error, never a trap.
    let text = "expectimax(plies: 3, milliseconds: 5, cutoff: 0.001, table: 8, evaluator: model)"
    let letters = Array("():, 09-.ex\u{0}\u{301}é".unicodeScalars)
    var (accepted, refused) = (0, 0)
    var random = RandomPositions(seed: 61)
    for _ in 0..<3000 {
      var scalars = Array(text.unicodeScalars)
      for _ in 0...random.number(below: 3) {
        let place = random.number(below: scalars.count)
        switch random.number(below: 3) {
        case 0: scalars.removeSubrange(place...)
        case 1: scalars[place] = letters[random.number(below: letters.count)]
        default: scalars.insert("(", at: place)
        }
        if scalars.isEmpty { scalars = ["x"] }
      }
      do {
        let specification = try AgentSpecification(text: String(String.UnicodeScalarView(scalars)))
        #expect(try AgentSpecification(text: specification.description) == specification)
        accepted += 1
      } catch {
        #expect(!"\(error)".contains("\n"))
        refused += 1
      }
    }
    #expect(accepted > 0 && refused > 1000)
  }

  /// A specification makes the agent that its parts make.
  @Test func makesTheAgentItNames() throws {
    func moves(_ text: String) throws -> [Move?] {
      var agent = try AgentSpecification(text: text).makeAgent(model: HashEvaluator())
      agent.beginGame(seed: 3, number: 1)
      return try ExpectimaxTests.boards(12, seed: 62).map { agent.move(on: $0) }
    }
    func moves(_ agent: some Agent) throws -> [Move?] {
      var agent = agent
      agent.beginGame(seed: 3, number: 1)
      return try ExpectimaxTests.boards(12, seed: 62).map { agent.move(on: $0) }
    }
    let heuristic = HeuristicEvaluator()
    #expect(try moves("random") == moves(RandomAgent()))
    // Its choices are not those of the stream that deals the tiles.
    var tiles = RandomStream(seed: 3, stream: 1)
    let drawn = try ExpectimaxTests.boards(12, seed: 62).map { board in
      let legal = Move.allCases.filter { board.afterstate(of: $0) != nil }
      return legal[tiles.next(below: legal.count)]
    }
    #expect(try moves("random") != drawn)
    #expect(try moves("greedy") == moves(Expectimax(HashEvaluator())))
    #expect(try moves("greedy(evaluator: heuristic)") == moves(Expectimax(heuristic)))
    #expect(try moves("expectimax(plies: 2)") == moves(Expectimax(HashEvaluator(), plies: 2)))
    #expect(
      try moves("expectimax(plies: 2, table: 1, threads: 2)") == moves(Expectimax(HashEvaluator(), plies: 2)))
    #expect(
      try moves("expectimax(plies: 2, extend: 5, cutoff: 0.01)")
        == moves(
          Expectimax(
            HashEvaluator(), limits: SearchLimits(plies: 2, extensionEmptyCells: 5, minimumProbability: 0.01))))
    #expect(try moves("expectimax(nodes: 500)") == moves(Expectimax(HashEvaluator(), limits: .nodes(500))))
    #expect(try moves("minimax(plies: 2)") == moves(Minimax(HashEvaluator(), plies: 2)))
    #expect(try moves("montecarlo(rollouts: 4)") == moves(MonteCarlo(rollouts: 4)))
    #expect(
      try moves("montecarlo(rollouts: 4, policy: greedy)") == moves(MonteCarlo(HashEvaluator(), rollouts: 4)))
  }

  @Test func playsByTheHeuristicWithoutAModel() throws {
    let board = try ExpectimaxTests.boards(1, seed: 63)[0]
    var agent = try AgentSpecification(text: "expectimax(plies: 2)").makeAgent()
    var expected = Expectimax(HeuristicEvaluator(), plies: 2)
    #expect(agent.move(on: board) == expected.move(on: board))
    #expect(agent.analyze(board) == expected.analyze(board))
    var random = try AgentSpecification(text: "random").makeAgent()
    #expect(random.analyze(board) == nil)
    #expect {
      try AgentSpecification(text: "greedy(evaluator: model)").makeAgent()
    } throws: { error in
      "\(error)"
        == "greedy(evaluator: model) needs a model: name one, or use evaluator: heuristic"
    }
  }
}
