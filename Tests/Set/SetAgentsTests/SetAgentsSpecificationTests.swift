import SetAgents
import SetEngine
import TestSupport
import Testing

@Suite struct SetAgentsSpecificationTests {
  /// The parser reads canonical texts, and the specification prints the same text.
  @Test(
    arguments: [
      "random", "random(exact: never)", "random(exact: 6)", "most-left", "most-left(exact: 3)", "counting",
      "counting(exact: 9)", "greedy", "greedy(evaluator: heuristic)", "greedy(exact: never, evaluator: model)",
      "rollouts(count: 20)", "rollouts(count: 20, policy: counting)", "rollouts(milliseconds: 5, policy: random)",
      "rollouts(count: 9, milliseconds: 5, exact: 3, evaluator: model)", "search(milliseconds: 50)",
      "search(count: 100)",
      "search(count: 100, milliseconds: 5, depth: 4, prior: 0, exact: 6, evaluator: heuristic)",
    ] as [String]) func roundTrips(_ text: String) throws
  {
    let specification = try SetAgentSpecification(text: text)
    #expect(specification.description == text)
    #expect(try SetAgentSpecification(text: specification.description) == specification)
    // Agents that play by a model cannot be made without one; all other agents can.
    if text.contains("model") {
      #expect(throws: SetAgentSpecificationError.needsModel(text)) { try specification.makeAgent() }
    } else {
      _ = try specification.makeAgent()
    }
  }

  /// Numbers beyond their ranges count, and are written, as the nearest allowed ones.
  @Test(arguments: [.min, -1, 0, 28, .max] as [Int]) func numbersBeyondTheirRangesAreWritten(_ number: Int) throws {
    let limits = SetAgentSpecification.Limits(count: number, milliseconds: number)
    let settings = SetAgentSpecification.SearchSettings(depth: number, prior: number)
    for player in [.rollouts(limits, policy: .random), .search(limits, settings)] as [SetAgentSpecification.Player] {
      let specification = SetAgentSpecification(player, evaluator: .heuristic)
      let text = "\(specification)"
      #expect(try "\(SetAgentSpecification(text: text))" == text)
      _ = try specification.makeAgent()
    }
  }

  @Test func spacesAndDefaultsCountForNothing() throws {
    #expect(
      try SetAgentSpecification(text: "  search ( depth:3 ,milliseconds :50 )\n").description
        == "search(milliseconds: 50, depth: 3)")
    #expect(try SetAgentSpecification(text: "rollouts(policy: greedy, count: 2)").description == "rollouts(count: 2)")
    #expect(try SetAgentSpecification(text: "counting(exact: 0)").description == "counting")
  }

  private static let form =
    "an agent is a name, or a name and its settings in one pair of parentheses, such as search(milliseconds: 50)"

  @Test(
    arguments: [
      ("countin", "no agent is called 'countin', did you mean counting?"),
      ("most_left", "no agent is called 'most_left', did you mean most-left?"),
      ("alphazero", "no agent is called 'alphazero': there are random, most-left, counting, greedy, rollouts, search"),
      ("counting(count: 1)", "counting has no setting 'count': there are exact"),
      ("search(mileseconds: 1)", "search has no setting 'mileseconds', did you mean milliseconds?"),
      ("search(policy: random)", "search has no setting 'policy': there are count, milliseconds, depth, prior,"),
      ("rollouts", "rollouts needs count or milliseconds, such as rollouts(count: 20)"),
      ("search(depth: 3)", "search needs count or milliseconds, such as search(milliseconds: 50)"),
      ("rollouts(count: 0)", "count is '0': give a whole number from 1 to 1000000"),
      ("search(count: 5, depth: 28)", "depth is '28': give a whole number from 1 to 27"),
      ("search(count: 5, prior: -1)", "prior is '-1': give a whole number from 0 to 1000000"),
      ("search(milliseconds: 1.5)", "milliseconds is '1.5': give a whole number from 1 to 3600000"),
      ("random(exact: 4)", "exact is '4': give never, 0, 3, 6 or 9, the cards in the deck"),
      ("random(exact: nevr)", "exact is 'nevr': give never, 0, 3, 6 or 9, the cards in the deck, did you mean never?"),
      ("rollouts(count: 5, policy: count)", "policy is 'count': give greedy, counting or random"),
      ("rollouts(count: 5, policy: random, evaluator: model)", "evaluator does nothing for rollouts without policy:"),
      ("greedy(evaluator: net)", "evaluator is 'net': give automatic, model or heuristic"),
      ("search(count: 5, count: 5)", "count is given more than once"),
      ("search(50)", "'50' is not a setting: write key: value, such as count: 20"),
      ("search(count: 5", form), ("random()", form),
      ("search(count: \u{1b}[2J)", "count is '\\u{1b}[2J': give a whole number from 1 to 1000000"),
    ] as [(String, String)]) func refusalsSayWhatToDo(_ text: String, _ message: String)
  {
    #expect {
      try SetAgentSpecification(text: text)
    } throws: { error in
      matches("\(error)", message)
    }
  }

  @Test func hostileTextIsRefused() throws {
    #expect(throws: SetAgentSpecificationError.tooLong(limit: 500)) {
      try SetAgentSpecification(text: String(repeating: "a", count: 501))
    }
    // Each cut text and each text with one letter changed gives a specification or an error, never a trap.
    let text = "search(count: 100, milliseconds: 5, depth: 4, prior: 0, exact: 6, evaluator: model)"
    let letters = Array("():, 09-.ex\u{0}\u{301}é".unicodeScalars)
    var (accepted, refused, random) = (0, 0, TestRandom(state: 61))
    for _ in 0..<2000 {
      var scalars = Array(text.unicodeScalars)
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0..<scalars.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: scalars.removeSubrange(place...)
        case 1: scalars[place] = letters.randomElement(using: &random)!
        default: scalars.insert("(", at: place)
        }
        if scalars.isEmpty { scalars = ["x"] }
      }
      do {
        let specification = try SetAgentSpecification(text: String(String.UnicodeScalarView(scalars)))
        #expect(try SetAgentSpecification(text: specification.description) == specification)
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
    let model = StubSetEvaluator { Float(($0.table.first?.index ?? 0) * 7 % 11) }
    let positions = RandomSetPositions.games(1, seed: 21)
    func choices(_ text: String) throws -> [Trio?] {
      try choices(SetAgentSpecification(text: text).makeAgent(model: model))
    }
    func choices(_ agent: some SetAgent) -> [Trio?] {
      var agent = agent
      agent.beginGame(seed: 3, number: 1)
      return positions.map { agent.choice(in: $0) }
    }
    let heuristic = HeuristicSetEvaluator()
    #expect(try choices("random(exact: never)") == choices(RandomSetPlayer()))
    #expect(try choices("random") == choices(EndgamePlayer(RandomSetPlayer())))
    #expect(try choices("most-left(exact: 3)") == choices(EndgamePlayer(MostLeftPlayer(), endgame: Endgame(cards: 3))))
    #expect(try choices("counting") == choices(EndgamePlayer(CountingPlayer())))
    #expect(try choices("greedy") == choices(EndgamePlayer(GreedySetPlayer(model))))
    #expect(try choices("greedy(evaluator: heuristic)") == choices(EndgamePlayer(GreedySetPlayer(heuristic))))
    #expect(try choices("rollouts(count: 4)") == choices(RolloutPlayer(model, settings: .count(4))))
    #expect(
      try choices("rollouts(count: 4, policy: random, exact: 6)")
        == choices(RolloutPlayer(model, policy: .random, settings: .count(4), endgame: Endgame(cards: 6))))
    #expect(
      try choices("search(count: 20, depth: 2, prior: 7)")
        == choices(RolloutPlayer(model, settings: RolloutSettings(count: 20, prior: 7, eliminates: true, depth: 2))))
    #expect(
      try choices("search(count: 20)")
        == choices(
          RolloutPlayer(
            model,
            settings: RolloutSettings(count: 20, prior: RolloutSettings.standardPrior, eliminates: true))))
    #expect(try choices("greedy") != choices("greedy(evaluator: heuristic)"))
  }
}
