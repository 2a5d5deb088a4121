internal import TupeloBase
internal import TupeloEngine

/// The policy of 1-ply search: the move with the largest reward + V(afterstate).
struct GreedyPolicy<E: Evaluator>: Sendable {
  let evaluator: E
  let table: MoveTable

  /// The moves on some boards; `nil` for a board without a legal move. All afterstates are evaluated in one call.
  func moves(on boards: [Board]) -> [Move?] {
    var afterstates: [Afterstate] = []
    var rewards: [Float] = []
    afterstates.reserveCapacity(4 * boards.count)
    rewards.reserveCapacity(4 * boards.count)
    let legal = boards.map { board in
      let successors = table.successors(of: board)
      var mask = successors.legal.mask
      while mask != 0 {
        let move = Move(lowestOf: mask)
        mask &= mask &- 1
        afterstates.append(successors.afterstate(of: move))
        rewards.append(Float(successors.reward(of: move)))
      }
      return successors.legal
    }
    var values = [Float](repeating: 0, count: afterstates.count)
    var span = values.mutableSpan
    evaluator.evaluate(afterstates.span, into: &span)
    var next = 0
    return legal.map { legal in
      let leaves = next..<next + legal.count
      next = leaves.upperBound
      guard var best = leaves.first else { return nil }
      var largest = -Float.infinity
      for leaf in leaves where rewards[leaf] + values[leaf] > largest {
        (best, largest) = (leaf, rewards[leaf] + values[leaf])
      }
      return legal.move(ofRank: best - leaves.lowerBound)
    }
  }
}
