internal import TupeloEngine

/// The boards that a game may start from, with their probabilities.
struct StartDistribution: Sendable {
  /// The boards by code. The probabilities add up to 1. When boards count up to symmetry, no two of them are symmetric.
  let boards: [(code: UInt32, probability: Double)]

  /// - Parameters:
  ///   - rules: the number of start tiles, and how tiles appear
  ///   - name: gives the code of a position; codes are equal for positions that count as one
  init(_ rules: Rules, name: (UInt64) -> UInt32, position: (UInt32) -> UInt64) {
    let chance = ChanceModel(rules)
    var current: [(code: UInt32, probability: Double)] = [(0, 1)]
    for _ in 0..<rules.startTiles {
      var sums: [UInt32: Double] = [:]
      for (code, probability) in current {
        let grid = Afterstate(bits: position(code))
        for outcome in chance.outcomes(of: grid) {
          sums[name(grid.board(after: outcome).bits), default: 0] += probability * outcome.probability
        }
      }
      current = sums.map { (code: $0.key, probability: $0.value) }.sorted { $0.code < $1.code }
    }
    boards = current
  }

  /// The start boards up to symmetry.
  init(_ rules: Rules, upToSymmetry code: StateCode) {
    self.init(rules, name: code.canonicalCode, position: code.position)
  }
}
