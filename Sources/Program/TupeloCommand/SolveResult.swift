internal import Foundation
internal import TupeloEngine
internal import TupeloSolver

/// The output of `tupelo solve`.
struct SolveResult {
  let solution: ExactSolution
  let seconds: Double
  let policy: PolicyValue?
  let plies: Int
  let policySeconds: Double

  var text: String {
    let rules = solution.rules
    let tiles = "a 4 with probability \(rules.fourProbability), \(Format.counted(rules.startTiles, "start tile"))"
    let fromTwos = solution.startValueFromTwos.map { Format.grouped($0, digits: 6) } ?? "a 2 never appears"
    var facts = [
      ("board", "\(rules.shape), \(tiles)"),
      ("positions", "\(Format.grouped(solution.positionCount)) up to symmetry"),
      ("expected score", Format.grouped(solution.startValue, digits: 6)),
      (rules.startTiles == 1 ? "if first tile is a 2" : "if first tiles are 2s", fromTwos),
      ("time", "\(String(format: "%.1f", seconds)) s"),
    ]
    if let policy {
      let regret = policy.regret(to: solution)
      facts += [
        ("model's plies", "\(plies)"),
        ("model's expected score", Format.grouped(policy.expectedScore, digits: 6)),
        ("regret", "\(Format.grouped(regret.points, digits: 6)) points, \(Format.decimals(regret.percent, 4))%"),
        ("model's moves", "\(String(format: "%.1f", policy.expectedMoves)) a game"),
        ("model reaches", Format.counted(policy.positionCount, "position")),
      ]
      facts += reached(policy).map { ("makes \($0)", String(format: "%.4f%%", 100 * $1)) }
      facts.append(("model's time", "\(String(format: "%.1f", policySeconds)) s"))
    }
    facts.append(("peak memory", Format.bytes(Self.peakMemory)))
    return facts.map { Format.padded($0, to: 24) + $1 }.joined(separator: "\n")
  }

  func json() throws -> String {
    let rules = solution.rules
    var object: [String: Any] = [
      "board": "\(rules.shape)", "four_probability": rules.fourProbability, "start_tiles": rules.startTiles,
      "positions": solution.positionCount, "expected_score": solution.startValue, "seconds": seconds,
      "expected_score_from_twos": NSNull(), "peak_memory_bytes": Self.peakMemory,
    ]
    if let fromTwos = solution.startValueFromTwos { object["expected_score_from_twos"] = fromTwos }
    if let policy {
      let regret = policy.regret(to: solution)
      var reach: [String: Double] = [:]
      for (tile, chance) in reached(policy) { reach["\(tile)"] = chance }
      object["model"] =
        [
          "plies": plies, "expected_score": policy.expectedScore, "regret": regret.points,
          "regret_percent": regret.percent, "expected_moves": policy.expectedMoves, "positions": policy.positionCount,
          "reach": reach,
          "seconds": policySeconds,
        ] as [String: Any]
    }
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }

  /// The larger tiles that games make, with their probabilities: the last four that are neither certain nor impossible.
  private func reached(_ policy: PolicyValue) -> [(tile: Int, chance: Double)] {
    let all = policy.largestTiles.indices.dropFirst(2).map { exponent in
      (tile: 1 << exponent, chance: policy.reachProbability(ofExponent: exponent))
    }
    return all.filter { $0.chance > 0 && $0.chance < 1 - 1e-12 }.suffix(4)
  }

  /// The peak memory of the process so far, in bytes.
  private static var peakMemory: Int {
    var usage = rusage()
    #if canImport(Glibc)
    let process = RUSAGE_SELF.rawValue
    #else
    let process = RUSAGE_SELF
    #endif
    #if canImport(Darwin)
    let unit = 1
    #else
    let unit = 1024
    #endif
    guard unsafe getrusage(process, &usage) == 0 else { return 0 }
    return usage.ru_maxrss * unit
  }
}
