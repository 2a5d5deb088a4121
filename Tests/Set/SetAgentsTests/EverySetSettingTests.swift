import SetAgents
import SetEngine
import TestSupport
import Testing
import TupeloBase

/// Every setting of an agent of Set counts: another value changes its choices, their values or their rollouts. The
/// settings are those of the agents' rows; a setting that is new there needs a row here.
@Suite struct EverySetSettingTests {
  /// Two values of each setting with which an agent differs, and the rollouts that it needs there.
  private static let values: [SetAgentKey: (rollouts: Int?, values: [String])] = [
    .count: (nil, ["2", "20"]), .milliseconds: (300, ["1", "3600000"]), .policy: (5, ["counting", "random"]),
    .depth: (5, ["1", "27"]), .prior: (5, ["0", "1000"]), .exact: (2, ["never", "6"]),
    .evaluator: (2, ["heuristic", "model"]),
  ]

  private struct Said: Equatable {
    var choice: Trio?
    var analysis: SetAnalysis?
  }

  /// What an agent says of the positions of some games on a small deck.
  private static func said(_ agent: SetAgentName, _ settings: [String]) throws -> [Said] {
    let rules = try SetRules(features: 3, tableSize: 9)
    let specification = try SetAgentSpecification(
      text: settings.isEmpty ? agent.rawValue : "\(agent.rawValue)(\(settings.joined(separator: ", ")))")
    var agent = specification.makeAgent(
      model: StubSetEvaluator { Float($0.unseen.count * 7 % 5 + $0.table.count) }, rules: rules, seed: 1)
    return RandomSetPositions.games(12, rules: rules, seed: 5).enumerated().map { number, position in
      agent.beginGame(seed: 1, number: UInt64(2 * number))
      let analysis = agent.analyze(position)
      agent.beginGame(seed: 1, number: UInt64(2 * number + 1))
      return Said(choice: agent.choice(in: position), analysis: analysis)
    }
  }

  private static let settings = SetAgentName.allCases.flatMap { name in name.row.keys.map { (name, $0) } }

  @Test(.slow, arguments: settings) func aSettingChangesWhatAnAgentSays(
    _ agent: SetAgentName, _ key: SetAgentKey
  ) throws {
    let (rollouts, values) = try #require(Self.values[key])
    var others = agent.row.keys.contains(.count) ? rollouts.map { ["count: \($0)"] } ?? [] : []
    // The heuristic plays fast, and not every policy of rollouts has an evaluator.
    if agent.row.keys.contains(.evaluator), key != .evaluator, key != .policy { others.append("evaluator: heuristic") }
    let said = try values.map { try Self.said(agent, others + ["\(key.rawValue): \($0)"]) }
    #expect(said[0] != said[1], "\(agent): \(key) changes nothing")
  }

  @Test func everySettingIsTried() { #expect(Set(Self.values.keys) == Set(SetAgentKey.allCases)) }
}
