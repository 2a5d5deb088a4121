import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloSearch

/// Every setting of an agent counts: another value changes its moves, their values, its depth, or the boards that it
/// values. The settings are those of the agents' rows; a setting that is new there needs a row here.
@Suite struct EverySettingTests {
  /// Two values of each setting with which an agent differs, and the other settings that it needs there. The heuristic
  /// values boards, unless the setting is the evaluator.
  private static let values: [AgentKey: (needs: String, values: [String])] = [
    .plies: ("", ["2", "3"]), .milliseconds: ("plies: 4", ["1", "3600000"]),
    .nodes: ("plies: 3", ["100", "1000000000"]), .extend: ("plies: 2", ["0", "15"]),
    .cutoff: ("plies: 3", ["0.0001", "0.1"]), .table: ("plies: 3", ["0", "1"]),
    .threads: ("plies: 3", ["1", "3"]), .rollouts: ("", ["1", "20"]), .policy: ("rollouts: 5", ["random", "greedy"]),
    .evaluator: ("", ["heuristic", "model"]),
  ]

  /// The settings that an agent cannot do without.
  private static let needed: [AgentName: String] = [
    .expectimax: "plies: 2", .minimax: "plies: 2", .montecarlo: "rollouts: 5, policy: greedy",
  ]

  private struct Said: Equatable {
    var move: Move?
    var analysis: MoveAnalysis?
  }

  /// What an agent says of some boards.
  private static func said(_ agent: AgentName, _ settings: [String]) throws -> [Said] {
    let specification = try AgentSpecification(text: "\(agent)(\(settings.joined(separator: ", ")))")
    var agent = try specification.makeAgent(model: HashEvaluator(), seed: 1)
    return try ExpectimaxTests.boards(12, seed: 3).enumerated().map { number, board in
      agent.beginGame(seed: 1, number: UInt64(2 * number))
      let analysis = agent.analyze(board)
      agent.beginGame(seed: 1, number: UInt64(2 * number + 1))
      return Said(move: agent.move(on: board), analysis: analysis)
    }
  }

  private static let settings = AgentName.allCases.flatMap { name in name.row.keys.map { (name, $0) } }

  @Test(arguments: settings) func aSettingChangesWhatAnAgentSays(_ agent: AgentName, _ key: AgentKey) throws {
    let (needs, values) = try #require(Self.values[key])
    let others = needs.isEmpty ? Self.needed[agent].map { [$0] } ?? [] : [needs]
    let plain = others.flatMap { $0.split(separator: ", ") }.map(String.init).filter { !$0.hasPrefix(key.rawValue) }
    let evaluator = key == .evaluator || agent == .montecarlo ? [] : ["evaluator: heuristic"]
    let said = try values.map { try Self.said(agent, plain + ["\(key): \($0)"] + evaluator) }
    #expect(said[0] != said[1], "\(agent): \(key) changes nothing")
  }

  @Test func everySettingIsTried() { #expect(Set(Self.values.keys) == Set(AgentKey.allCases)) }
}
