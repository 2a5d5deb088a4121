internal import TupeloEngine

/// The boards that a game may start from.
struct StartDistribution: Sendable {
  /// By code, no two of them symmetric when taken up to symmetry; the probabilities add up to 1.
  let boards: [(code: UInt32, probability: Double)]

  /// - Parameters:
  ///   - rules: how many tiles appear, and how
  ///   - name: the code that a position goes by; equal for positions that count as one
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

  /// Boards up to symmetry.
  init(_ rules: Rules, upToSymmetry code: StateCode) {
    self.init(rules, name: code.canonicalCode, position: code.position)
  }
}
