internal import Foundation
internal import SetEngine
internal import SetPlayers
internal import SetSolver
internal import TupeloTraining

/// `tupelo solve --game set`: the exact value of a small deck, and what an agent loses against it.
struct SetSolveResult {
  private let solution: SetSolution
  private let seconds: Double
  private let agent: SetAgentSpecification?
  private let policy: SetPolicyValue?

  /// Solves the deck.
  ///
  /// - Parameters:
  ///   - features: of the deck; `nil` for those of the model, else 3
  ///   - table: cards on the table; `nil` for those of the model, else 12
  ///   - model: where the model is, if there is one
  ///   - agent: who plays; greedy when there is a model alone
  init(features: Int?, table: Int?, model path: String?, agent: SetAgentSpecification?) throws {
    let model = try path.map { try TrainedModel(path: ModelPath.file(at: $0)).set(path: $0) }
    let own = model?.rules
    let rules = try SetRules(
      features: features ?? own?.features ?? 3, tableSize: table ?? own?.tableSize ?? SetRules.standard.tableSize)
    if let path, let own, own != rules { throw SetSolutionError.modelOfOtherRules(path: path, own, solved: rules) }
    let clock = ContinuousClock()
    let start = clock.now
    let solver = try Progress.during("solving") { try SetSolver(rules: rules) }
    solution = solver.solve()
    seconds = (clock.now - start) / .seconds(1)
    self.agent = agent ?? model.map { _ in SetAgentSpecification(.greedy) }
    policy = try self.agent.map { [solution] agent in try solution.value(of: agent, model: model) }
  }

  var text: String {
    let (rules, best) = (solution.rules, solution.startValue)
    var facts = [
      ("deck", "\(rules.cardCount) cards, \(rules.tableSize) on the table"),
      ("positions", "\(Format.grouped(solution.positionCount)) up to symmetry"),
      ("expected Sets", Format.decimals(best.sets)),
      ("perfect games", Self.share(best.perfect)),
      ("time", "\(String(format: "%.1f", seconds)) s"),
    ]
    if let policy, let agent {
      facts += [
        ("agent", "\(agent)"),
        ("agent's expected Sets", Format.decimals(policy.value.sets)),
        (
          "by choice among equals",
          "\(Format.decimals(policy.setsByTies.lowerBound)) to \(Format.decimals(policy.setsByTies.upperBound))"
        ),
        ("regret", "\(Format.decimals(policy.regret.sets)) Sets"),
        ("agent's perfect games", Self.share(policy.value.perfect)),
        ("mistakes", String(format: "%.4f a game", policy.mistakes)),
        ("choices that matter", String(format: "%.4f a game", policy.unequalChoices)),
      ]
    }
    return facts.map { Format.padded($0, to: 24) + $1 }.joined(separator: "\n")
  }

  func json() throws -> String {
    let (rules, best) = (solution.rules, solution.startValue)
    var object: [String: Any] = [
      "game": "set", "features": rules.features, "table": rules.tableSize, "positions": solution.positionCount,
      "expected_sets": best.sets, "perfect": best.perfect, "seconds": seconds,
    ]
    if let policy, let agent {
      object["agent"] =
        [
          "agent": "\(agent)", "expected_sets": policy.value.sets, "perfect": policy.value.perfect,
          "regret": policy.regret.sets, "lowest_sets": policy.setsByTies.lowerBound,
          "highest_sets": policy.setsByTies.upperBound, "mistakes": policy.mistakes,
          "unequal_choices": policy.unequalChoices, "positions": policy.positionCount,
        ] as [String: Any]
    }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  private static func share(_ chance: Double) -> String { String(format: "%.4f%%", 100 * chance) }
}
